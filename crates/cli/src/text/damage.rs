//! What `doctor` finds, in Indonesian. The checks say it in English, with names and figures in it: which
//! sentence it is tells its form here, and what stands in its places comes along.

/// What a finding says, in Indonesian. What no form is known for, which is what SQLite itself says, is
/// quoted.
pub(crate) fn in_indonesian(detail: &str) -> String {
    let bare = detail.trim_end_matches('.');
    let (room, what) = match bare.strip_prefix("Room ").and_then(|rest| rest.split_once(": ")) {
        Some((room, what)) => (Some(room), what),
        None => (None, bare),
    };
    let said = part(what).unwrap_or_else(|| format!("ditemukan kerusakan, \"{what}\""));
    match room {
        // A row that belongs to no room that is there.
        Some("?") => format!("Ruang yang tidak ada: {said}."),
        Some(room) => format!("Ruang {room}: {said}."),
        None => {
            let mut letters = said.chars();
            letters
                .next()
                .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
        }
    }
}

fn part(what: &str) -> Option<String> {
    // Of an entry and of a document is said what is wrong with it.
    let inner = |before: &str, said: &str| {
        let (name, rest) = what.strip_prefix(before)?.split_once(": ")?;
        let rest = FORMS_OF_ONE.iter().find_map(|form| filled(form, rest))?;
        Some(format!("{said}{name}: {rest}"))
    };
    FORMS
        .iter()
        .find_map(|form| filled(form, what))
        .or_else(|| inner("entry ", "catatan "))
        .or_else(|| inner("", ""))
}

/// The Indonesian of a form, where a text has it. `{}` are its places, `{0}` and on what stood there, `{=0}` where that is a word of the tables.
fn filled((en, id): &(&str, &str), text: &str) -> Option<String> {
    let mut pieces = en.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        // The last piece must end the text, whatever stands in the place before it.
        let at = if pieces.peek().is_none() {
            rest.len()
                .checked_sub(piece.len())
                .filter(|at| rest.is_char_boundary(*at) && rest[*at..] == *piece)?
        } else {
            rest.find(piece)?
        };
        values.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    if !rest.is_empty() {
        return None;
    }
    // One pass: what is filled in is not looked at again.
    let mut out = String::new();
    let mut left = *id;
    while let Some((before, after)) = left.split_once('{') {
        let (number, after) = after.split_once('}')?;
        let (number, is_word) = number.strip_prefix('=').map_or((number, false), |number| (number, true));
        let value = values.get(number.parse::<usize>().ok()?)?;
        out.push_str(before);
        out.push_str(if is_word { word(value) } else { value });
        left = after;
    }
    out.push_str(left);
    Some(out)
}

/// Words of the tables that have one in Indonesian.
fn word(value: &str) -> &str {
    match value {
        "open" | "waiting" => "menunggu",
        "applied" => "diterapkan",
        "closed" => "ditutup",
        "rejected" => "ditolak",
        "reopened" => "dibuka lagi",
        "withdrawn" => "ditarik",
        other => other,
    }
}

/// Of one entry or document, after its name.
const FORMS_OF_ONE: &[(&str, &str)] = &[
    ("its bytes cannot be read", "bytenya tidak dapat dibaca"),
    ("it says that it is entry {}", "menyebut dirinya catatan {0}"),
    ("it says that it is of room {}", "menyebut dirinya milik ruang {0}"),
    ("its actor {} is not there", "pelakunya {0} tidak ada"),
    ("its proposal {} is not there", "usulannya {0} tidak ada"),
    (
        "revision {} of {} does not have its digest",
        "revisi {0} dari {1} tidak punya sidik isi yang disebutnya",
    ),
    ("{} is not applied as it says", "{0} tidak diterapkan seperti yang disebutnya"),
    ("the version of {} is missing or says something else", "versi {0} tidak ada atau mengatakan hal lain"),
    ("{} is not {} as it says", "{0} tidak {=1} seperti yang disebutnya"),
    ("{} is applied by entry {} already", "{0} sudah diterapkan oleh catatan {1}"),
    ("its version is missing", "versinya tidak ada"),
    ("its version says something else", "versinya mengatakan hal lain"),
];

const FORMS: &[(&str, &str)] = &[
    // The tables (`store-sqlite`).
    ("the room has no head", "ruang ini tidak punya kepala buku"),
    ("#{} is in {} states at once, not in one", "#{0} berada dalam {1} status, seharusnya tepat satu"),
    ("a proposal waits that is not there ({})", "ada usulan yang menunggu, tetapi usulannya tidak ada ({0})"),
    (
        "#{} is {} with a revision or digest that is not its latest",
        "#{0} {=1} dengan revisi atau sidik isi yang bukan yang terakhir",
    ),
    (
        "a link ({}) is between two proposals of which one is not there ({})",
        "sebuah kaitan ({0}) menghubungkan dua usulan, tetapi salah satunya tidak ada ({1})",
    ),
    (
        "#{} cannot have come of #{} ({}), which is not older",
        "#{0} tidak mungkin berasal dari #{1} ({2}), yang tidak lebih tua",
    ),
    ("#{} takes back #{}, which was never applied", "#{0} mengembalikan #{1}, yang tidak pernah diterapkan"),
    (
        "what was submitted as {} is of no revision that is there",
        "yang dikirim sebagai {0} bukan milik revisi yang ada",
    ),
    (
        "of what was submitted as revision {} of #{} there are {} parts up to the {}-th",
        "dari yang dikirim sebagai revisi {0} untuk #{1} ada {2} bagian, sampai bagian ke-{3}",
    ),
    ("comment {} is on no revision that is there", "komentar {0} bukan untuk revisi yang ada"),
    ("comment {} is of nobody who is there", "komentar {0} ditulis oleh orang yang tidak ada"),
    ("on #{} there are {} comments up to the {}-th", "untuk #{0} ada {1} komentar, sampai komentar ke-{2}"),
    (
        "comment {} on #{} answers {}, which does not ask for changes before it",
        "komentar {0} untuk #{1} menjawab {2}, yang tidak meminta perubahan sebelumnya",
    ),
    (
        "revision {} of #{} is carried on from revision {}, which is not there or not earlier",
        "revisi {0} dari #{1} disesuaikan dari revisi {2}, yang tidak ada atau tidak lebih dahulu",
    ),
    (
        "#{} waits with another validity than its revision says",
        "#{0} menunggu dengan batas waktu yang lain daripada di revisinya",
    ),
    (
        "revision {} of #{} counts other changes than it has",
        "hitungan perubahan revisi {0} dari #{1} tidak cocok dengan isinya",
    ),
    (
        "#{} is based on a version of {} that is not in its history",
        "#{0} berdasar pada versi {1} yang tidak ada dalam riwayatnya",
    ),
    (
        "#{} is applied, but its effect {} is not kept as its own",
        "#{0} diterapkan, tetapi tindakannya {1} tidak tercatat sebagai miliknya",
    ),
    (
        "the effect {} is kept for #{}, which does not have it",
        "tindakan {0} tercatat untuk #{1}, yang tidak memilikinya",
    ),
    (
        "version {} of entry {} is of no change that the entry applied",
        "versi {0} dari catatan {1} bukan dari perubahan yang diterapkan catatan itu",
    ),
    (
        "#{} is applied, but the version of {} that it made is not there",
        "#{0} diterapkan, tetapi versi {1} yang dibuatnya tidak ada",
    ),
    (
        "the version of {} that entry {} made does not follow what it was based on",
        "versi {0} yang dibuat catatan {1} tidak melanjutkan versi dasarnya",
    ),
    (
        "the version that entry {} made is replaced {} times",
        "versi yang dibuat catatan {0} digantikan {1} kali",
    ),
    ("the document {} is not what entry {} made it", "dokumen {0} tidak seperti yang dibuat catatan {1}"),
    (
        "the document {} is not there, though entry {} made it and none took it away",
        "dokumen {0} tidak ada, padahal dibuat oleh catatan {1} dan tidak dihapus oleh catatan mana pun",
    ),
    ("where {} went is not remembered", "ke mana {0} pergi tidak tercatat"),
    (
        "{} is remembered as gone by entry {}, which did not take it away",
        "{0} tercatat dihapus oleh catatan {1}, padahal catatan itu tidak menghapusnya",
    ),
    ("#{} is {} by entry {}, which is not there", "#{0} {=1} oleh catatan {2}, yang tidak ada"),
    (
        "the ledger holds {} entries, up to {}, but its head says {}",
        "buku penerapan berisi {0} catatan, sampai {1}, tetapi kepala buku menyebut {2}",
    ),
    (
        "the head counts {} waiting, {} applied, {} rejected, {} withdrawn; there are {}, {}, {}, {}",
        "kepala buku menghitung {0} menunggu, {1} diterapkan, {2} ditolak, {3} ditarik; yang ada {4}, {5}, {6}, {7}",
    ),
    (
        "the last proposal is #{} of {}, but the head says #{}",
        "usulan terakhir adalah #{0} dari {1}, tetapi kepala buku menyebut #{2}",
    ),
    (
        "#{} was decided after the last moment that the head knows",
        "#{0} diputuskan sesudah saat terakhir yang dikenal kepala buku",
    ),
    (
        "the evidence of {} repeats ({}) keeps {} attempts up to the {}-th",
        "jejak {0} ulangan ({1}) menyimpan {2} percobaan, sampai percobaan ke-{3}",
    ),
    ("an attempt ({}) belongs to no evidence", "sebuah percobaan ({0}) bukan milik jejak mana pun"),
    (
        "the {}-th attempt ({}) is kept in place {}, or by nobody who is known",
        "percobaan ke-{0} ({1}) disimpan di tempat {2}, atau oleh orang yang tidak dikenal",
    ),
    (
        "{} repeats ({}) are in the evidence, {} in its hours",
        "ada {0} ulangan ({1}) dalam jejak, tetapi {2} dalam hitungan per jamnya",
    ),
    ("the evidence of {} repeats ({}) cannot be so", "jejak {0} ulangan ({1}) tidak mungkin begitu"),
    (
        "the idempotency key {} is kept for #{}, which somebody else submitted",
        "kunci kiriman {0} tercatat untuk #{1}, yang diajukan orang lain",
    ),
    ("{} is kept under a key that is not its own", "{0} disimpan dengan kunci jalur yang bukan miliknya"),
    (
        "tile {} of level {} is missing or not what lies below it",
        "petak {0} di tingkat {1} tidak ada, atau tidak cocok dengan yang di bawahnya",
    ),
    ("there are {} tiles, where {} belong", "ada {0} petak, seharusnya {1}"),
    ("{} points to a missing {}", "{0} menunjuk ke {1} yang tidak ada"),
    // Hashes, and what they are of (`engine`).
    (
        "the ledger ends at entry {}, but its head says {}",
        "buku penerapan berakhir pada catatan {0}, tetapi kepala buku menyebut {1}",
    ),
    ("entry {} stands where {} should", "catatan {0} berada di tempat catatan {1}"),
    (
        "the bytes of entry {} do not have the leaf that is stored",
        "byte catatan {0} tidak cocok dengan daun yang disimpan",
    ),
    ("entry {} does not name the leaf before it", "catatan {0} tidak menyebut daun sebelumnya"),
    ("entry {} is older than the one before it", "catatan {0} lebih tua daripada yang sebelumnya"),
    (
        "the root of the ledger is not the root of its entries",
        "akar buku penerapan bukan akar catatan-catatannya",
    ),
    (
        "{} proposals are applied, but {} entries say so",
        "{0} usulan diterapkan, tetapi catatan yang menyebutnya {1}",
    ),
    ("revision {} of #{} is not there", "revisi {0} dari #{1} tidak ada"),
    ("#{} is not there", "#{0} tidak ada"),
    ("#{} is neither waiting nor decided", "#{0} tidak menunggu dan tidak pula diputuskan"),
    ("#{} is {}, but entry {} does not say so", "#{0} {=1}, tetapi catatan {2} tidak menyebutkannya"),
    (
        "#{} has a later revision than the one it stands with",
        "#{0} punya revisi yang lebih baru daripada yang tercatat padanya",
    ),
    (
        "#{} waits with another digest than its revision has",
        "#{0} menunggu dengan sidik isi yang lain daripada sidik revisinya",
    ),
    (
        "the bytes of revision {} of #{} do not have its digest",
        "byte revisi {0} dari #{1} tidak cocok dengan sidik isinya",
    ),
    (
        "the rows of revision {} of #{} say something else than its digest",
        "baris revisi {0} dari #{1} mengatakan hal lain daripada sidik isinya",
    ),
    (
        "the fingerprint of revision {} of #{}, by which equal ones are found, is not that of its changes",
        "sidik kiriman revisi {0} dari #{1}, untuk menemukan yang sama, bukan sidik perubahannya",
    ),
    (
        "the hunks that revision {} of #{} found elsewhere in {} cannot be so",
        "potongan yang ditemukan revisi {0} dari #{1} di tempat lain dalam {2} tidak mungkin begitu",
    ),
    (
        "the lines that revision {} of #{} changes in {} (+{} -{}) are not those counted",
        "baris yang diubah revisi {0} dari #{1} dalam {2} (+{3} -{4}) tidak sama dengan yang terhitung",
    ),
    (
        "the content of {} in revision {} of #{} is not what was committed to",
        "isi {0} di revisi {1} dari #{2} bukan isi yang tercatat komitmennya",
    ),
    ("the content of {} in revision {} of #{} is not there", "isi {0} di revisi {1} dari #{2} tidak ada"),
    (
        "revision {} of #{} takes {} away and has content for it",
        "revisi {0} dari #{1} menghapus {2}, tetapi punya isi untuknya",
    ),
    (
        "More is wrong than the {} things that are listed",
        "yang rusak lebih banyak daripada {0} hal yang disebutkan",
    ),
    // The signing key.
    ("the signing key {} is no file", "kunci tanda tangan {0} bukan berkas biasa"),
    (
        "the signing key {} is not an Ed25519 key in PEM",
        "kunci tanda tangan {0} bukan kunci Ed25519 dalam bentuk PEM",
    ),
    ("the signing key {} is that of another store", "kunci tanda tangan {0} milik berkas ruang lain"),
    // Rows that cannot be.
    ("The head of the ledger does not fit its size", "kepala buku tidak cocok dengan ukuran bukunya"),
    (
        "A number of the ledger is larger than any that is given",
        "ada nomor catatan yang lebih besar daripada yang mungkin diberikan",
    ),
    (
        "An effect is claimed by a proposal that is not there",
        "sebuah tindakan tercatat untuk usulan yang tidak ada",
    ),
    (
        "A row of the evidence cannot be found by its own count",
        "sebuah baris jejak tidak dapat ditemukan menurut hitungannya sendiri",
    ),
    ("A proposal has no state or no revision", "sebuah usulan tidak punya status atau revisi"),
    ("A row names an actor who is not there", "sebuah baris menyebut pelaku yang tidak ada"),
    ("A version's proposal is not applied", "usulan dari sebuah versi tidak diterapkan"),
    // What could not be read at all, with what was being done and what SQLite says.
    ("Could not {}: {} ({})", "tidak dapat dibaca (\"{0}\": \"{1}\", \"{2}\")"),
    ("Could not {}: {}", "tidak dapat dibaca (\"{0}\": \"{1}\")"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_said_with_what_stands_in_them() {
        let check = |detail: &str, expected: &str| assert_eq!(in_indonesian(detail), expected);
        check(
            "Room main: #3 is applied, but the version of a {0} b that it made is not there.",
            "Ruang main: #3 diterapkan, tetapi versi a {0} b yang dibuatnya tidak ada.",
        );
        check(
            "Room main: entry 4: #2 is not rejected as it says.",
            "Ruang main: catatan 4: #2 tidak ditolak seperti yang disebutnya.",
        );
        check(
            "Room main: harga.json: its version is missing.",
            "Ruang main: harga.json: versinya tidak ada.",
        );
        check(
            "Room ?: an attempt (apply) belongs to no evidence.",
            "Ruang yang tidak ada: sebuah percobaan (apply) bukan milik jejak mana pun.",
        );
        check(
            "More is wrong than the 100 things that are listed.",
            "Yang rusak lebih banyak daripada 100 hal yang disebutkan.",
        );
        check("row 3 missing from index", "Ditemukan kerusakan, \"row 3 missing from index\".");
    }

    #[test]
    fn every_form_has_its_places_in_both() {
        for (en, id) in FORMS.iter().chain(FORMS_OF_ONE) {
            let places = en.matches("{}").count();
            let id = &*id.replace("{=", "{");
            let filled_in = (0..places).all(|n| id.matches(&format!("{{{n}}}")).count() == 1);
            assert!(filled_in && id.matches('{').count() == places, "{en}: {id}");
            // Written as it is, it is read back.
            let text = (0..places).fold((*en).to_owned(), |text, n| text.replacen("{}", &format!("w{n}"), 1));
            let said = (0..places)
                .fold(id.to_owned(), |said, n| said.replace(&format!("{{{n}}}"), &format!("w{n}")));
            assert_eq!(filled(&(*en, id), &text), Some(said), "{en}");
        }
    }
}
