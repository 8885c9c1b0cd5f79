//! What to say of hunks that do not fit: what they expect, what stands there, and in what alone the
//! two may differ.

use super::apply::Site;
use super::hunk::{Hunk, Side};
use super::place::{self, Place, Unplaced};
use super::refuse::{self, SHOWN, carried, quote};
use crate::code::Code;
use crate::refusal::Refusal;

/// A sentence in English and Indonesian.
type Both = (String, String);

/// The refusal of hunks that cannot be placed.
pub(super) fn unplaced(site: &Site<'_>, hunks: &[Hunk<'_>], content: &[u8], why: Unplaced) -> Refusal {
    match why {
        Unplaced::Nowhere(hunk) => misfit(site, hunks, content, hunk, true),
        Unplaced::NotAtLine(hunk) => misfit(site, hunks, content, hunk, false),
        Unplaced::Twice { hunk, lines: [a, b], other } => {
            let n = number(hunk);
            let (path, other) = (site.path, number(other));
            let stray = if other == n {
                (String::from("not at its own line"), String::from("tidak di barisnya sendiri"))
            } else {
                (
                    format!("and hunk {other} is not at its line, so that line numbers say nothing"),
                    format!("dan potongan {other} tidak di barisnya, sehingga nomor baris tidak berarti"),
                )
            };
            of_hunk(
                site,
                hunks,
                hunk,
                Code::PatchMismatch,
                &(
                    format!(
                        "it stands more than once in {path}, first at lines {a} and {b}, {}; give it more context.",
                        stray.0
                    ),
                    format!(
                        "ada di lebih dari satu tempat dalam {path}, mula-mula baris {a} dan {b}, {}; tambahkan konteksnya.",
                        stray.1
                    ),
                ),
            )
            .with(|f| f.found = vec![a.to_string(), b.to_string()])
        }
        Unplaced::Unheld(hunk) => of_hunk(
            site,
            hunks,
            hunk,
            Code::PatchMismatch,
            &(
                format!(
                    "it has no line that {} would have to hold, so nobody can know that it fits; make the patch with context (diff -u).",
                    site.path
                ),
                format!(
                    "tidak memuat satu pun baris yang seharusnya ada di {}, jadi kecocokannya tidak dapat diketahui; buat tambalan dengan konteks (diff -u).",
                    site.path
                ),
            ),
        ),
        Unplaced::NotAlone(hunk) => of_hunk(
            site,
            hunks,
            hunk,
            Code::PatchInvalid,
            &(
                String::from(
                    "it has no line that a document would have to hold, so it can only be the one hunk of an empty document, but the file has more; make the patch with context (diff -u).",
                ),
                String::from(
                    "tidak memuat satu pun baris yang seharusnya ada, jadi hanya dapat menjadi satu-satunya potongan dokumen kosong, tetapi berkas ini memuat lebih; buat tambalan dengan konteks (diff -u).",
                ),
            ),
        ),
        Unplaced::Overlap(hunk) => of_hunk(
            site,
            hunks,
            hunk,
            Code::PatchMismatch,
            &(
                format!(
                    "it overlaps hunk {hunk}: both take the same lines of {}; make one hunk of them.",
                    site.path
                ),
                format!(
                    "bertumpang tindih dengan potongan {hunk}: keduanya mengambil baris yang sama dari {}; jadikan satu potongan.",
                    site.path
                ),
            ),
        ),
        Unplaced::Order(hunk) => of_hunk(
            site,
            hunks,
            hunk,
            Code::PatchMismatch,
            &(
                format!(
                    "it stands before hunk {hunk} in {}; hunks come in the order of the document.",
                    site.path
                ),
                format!(
                    "letaknya di {} sebelum potongan {hunk}; potongan harus urut seperti dokumennya.",
                    site.path
                ),
            ),
        ),
    }
}

/// The refusal of a hunk whose old lines stand, but what it makes of them does too.
pub(super) fn doubled(site: &Site<'_>, hunks: &[Hunk<'_>], hunk: usize, old: u64, new: u64) -> Refusal {
    let path = site.path;
    let said = (
        format!(
            "its old lines stand at line {old} of {path}, but what it makes of them stands there already, at line {new}; nobody can know whether it is meant for a second time. If it is, submit the whole content."
        ),
        format!(
            "baris lamanya ada di baris {old} dalam {path}, tetapi hasilnya juga sudah ada, di baris {new}; tidak dapat diketahui apakah memang dimaksud untuk kedua kalinya. Bila ya, ajukan isi lengkapnya."
        ),
    );
    of_hunk(site, hunks, hunk, Code::PatchMismatch, &said)
        .with(|f| f.found = vec![old.to_string(), new.to_string()])
}

fn number(hunk: usize) -> u32 {
    u32::try_from(hunk + 1).unwrap_or(u32::MAX)
}

fn of_hunk(site: &Site<'_>, hunks: &[Hunk<'_>], index: usize, code: Code, (en, id): &Both) -> Refusal {
    let n = number(index);
    refuse::at(
        code,
        site.field,
        hunks[index].line,
        (format!("hunk {n}: {en}"), format!("potongan {n}: {id}")),
    )
    .with(|f| f.hunk = Some(n))
}

/// A hunk that does not fit: what its lines are, and what stands at the line that its header names.
fn misfit(site: &Site<'_>, hunks: &[Hunk<'_>], content: &[u8], index: usize, searched: bool) -> Refusal {
    let hunk = &hunks[index];
    let first = u64::from(hunk.old.start.max(1));
    let mut here = Place { at: 0, line: 1 };
    let there = if place::go_to(&mut here, first, content) { &content[here.at..] } else { b"" };
    let expected: Vec<Vec<u8>> = hunk.side(Side::Old).map(|row| whole(row.text, row.ended)).collect();
    let found: Vec<&[u8]> = there.split_inclusive(|b| *b == b'\n').take(expected.len()).collect();
    let said = match only_difference(&expected, &found, first, hunk, there) {
        Some((en, id)) => {
            (format!("{} at line {first}: {en}", site.path), format!("{} di baris {first}: {id}", site.path))
        }
        None => first_difference(site, content, &expected, &found, first, searched),
    };
    of_hunk(site, hunks, index, Code::PatchMismatch, &said).with(|f| {
        f.expected = expected.iter().take(SHOWN).map(|line| carried(line)).collect();
        f.found = found.iter().take(SHOWN).map(|line| carried(line)).collect();
    })
}

fn whole(text: &[u8], ended: bool) -> Vec<u8> {
    let mut line = text.to_vec();
    if ended {
        line.push(b'\n');
    }
    line
}

/// The first line in which they differ.
fn first_difference(
    site: &Site<'_>,
    content: &[u8],
    expected: &[Vec<u8>],
    found: &[&[u8]],
    first: u64,
    searched: bool,
) -> Both {
    let path = site.path;
    let same = expected.iter().zip(found).take_while(|(want, have)| want.as_slice() == **have).count();
    let line = first + same as u64;
    let (nowhere_en, nowhere_id) =
        if searched { (", and it stands nowhere else", ", dan tidak ada di tempat lain") } else { ("", "") };
    let want = expected.get(same).map(|line| quote(line)).unwrap_or_default();
    if let Some(have) = found.get(same) {
        let have = quote(have);
        return (
            format!(
                "it does not fit {path}: at line {line} it expects {want}, but {have} stands there{nowhere_en}."
            ),
            format!(
                "tidak cocok dengan {path}: di baris {line} seharusnya {want}, tetapi yang ada {have}{nowhere_id}."
            ),
        );
    }
    let (end_en, end_id) = match content.split_inclusive(|b| *b == b'\n').count() {
        0 => ("is empty".to_owned(), "kosong".to_owned()),
        lines => (format!("ends after line {lines}"), format!("berakhir di baris {lines}")),
    };
    (
        format!(
            "it does not fit {path}: it expects {want} at line {line}, but the document {end_en}{nowhere_en}."
        ),
        format!(
            "tidak cocok dengan {path}: di baris {line} seharusnya {want}, tetapi dokumen {end_id}{nowhere_id}."
        ),
    )
}

/// The one thing in which all lines differ, where it is one that cannot be seen.
fn only_difference(
    expected: &[Vec<u8>],
    found: &[&[u8]],
    first: u64,
    hunk: &Hunk<'_>,
    there: &[u8],
) -> Option<Both> {
    if expected.len() != found.len() {
        return None;
    }
    let same =
        |strip: fn(&[u8]) -> &[u8]| expected.iter().zip(found).all(|(want, have)| strip(want) == strip(have));
    let both = |en: &str, id: &str| Some((en.to_owned(), id.to_owned()));
    if same(|line| line) {
        // The lines are all there: what is wrong is where the document ends.
        return (hunk.at_end() && there.len() > hunk.old.bytes).then(|| {
            (
                String::from("the patch ends the file here without a line end, but more lines follow."),
                String::from("tambalan mengakhiri berkas di sini tanpa akhir baris, tetapi masih ada baris sesudahnya."),
            )
        });
    }
    if same(|line| line.strip_suffix(b"\n").unwrap_or(line)) {
        return if hunk.old.open {
            both(
                "only the last line end differs: the document has one, the patch says there is none.",
                "yang berbeda hanya akhir baris terakhir: dokumen memilikinya, menurut tambalan tidak ada.",
            )
        } else {
            both(
                "only the last line end differs: the document has none, and the patch does not say so (\\ No newline at end of file).",
                "yang berbeda hanya akhir baris terakhir: dokumen tidak memilikinya, dan tambalan tidak menyebutnya (\\ No newline at end of file).",
            )
        };
    }
    if same(super::lines::without_end) {
        let crlf = found.iter().any(|line| line.ends_with(b"\r\n"));
        return if crlf {
            both(
                "only line ends differ: the document has CR LF where the patch has LF.",
                "yang berbeda hanya akhir baris: dokumen memakai CR LF, tambalan memakai LF.",
            )
        } else {
            both(
                "only line ends differ: the patch has CR LF where the document has LF.",
                "yang berbeda hanya akhir baris: tambalan memakai CR LF, dokumen memakai LF.",
            )
        };
    }
    if same(<[u8]>::trim_ascii_end) {
        return both(
            "only white space at the ends of lines differs.",
            "yang berbeda hanya spasi di akhir baris.",
        );
    }
    let marked = |line: &[u8]| line.strip_prefix(b"\xEF\xBB\xBF").map(<[u8]>::to_vec);
    let rest = || expected[1..].iter().zip(&found[1..]).all(|(want, have)| want == have);
    if first == 1 && marked(found[0]).is_some_and(|line| line == expected[0]) && rest() {
        return both(
            "only the byte order mark differs: the document begins with one, and it belongs to the first line.",
            "yang berbeda hanya tanda urutan bita (BOM): dokumen diawali BOM, dan BOM bagian dari baris pertama.",
        );
    }
    let squeezed =
        |line: &[u8]| -> Vec<u8> { line.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect() };
    if expected.iter().zip(found).all(|(want, have)| squeezed(want) == squeezed(have)) {
        return both("only white space differs.", "yang berbeda hanya spasi.");
    }
    None
}
