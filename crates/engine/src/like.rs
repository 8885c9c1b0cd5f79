//! Which of the words or paths that there are a mistyped one was probably meant to be: of those that are
//! alike the closest, which is the one that the fewest keystrokes make of it.

use std::cmp::Reverse;

/// How alike two words must be for one to be taken for the other, as Jaro counts it; clap's own measure.
const ALIKE: f64 = 0.7;

/// The word that was probably meant. Of those equally close the one that begins alike for longest counts,
/// and then the first.
pub fn word<'a>(typed: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(typed, among, |typed, known| strsim::jaro(typed, known) > ALIKE)
}

/// The path that was probably meant: one that differs in at most a third of its characters, else the only
/// one that has the same name in another folder. What is there as it was typed was meant.
pub fn path<'a>(typed: &str, among: &[&'a str]) -> Option<&'a str> {
    if among.contains(&typed) {
        return None;
    }
    let near = |typed: &str, known: &str| {
        let longer = typed.chars().count().max(known.chars().count());
        strsim::osa_distance(typed, known) * 3 <= longer
    };
    // Most of a large room is far too long or too short, and need not be compared.
    let typed_len = typed.chars().count();
    let could_be = among.iter().copied().filter(|known| {
        let len = known.chars().count();
        len.abs_diff(typed_len) * 3 <= len.max(typed_len)
    });
    closest(typed, could_be, near).or_else(|| {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let wanted = name(typed);
        let mut same = among.iter().copied().filter(|known| name(known) == wanted);
        same.next().filter(|_| same.next().is_none())
    })
}

fn closest<'a>(
    typed: &str,
    among: impl IntoIterator<Item = &'a str>,
    near: impl Fn(&str, &str) -> bool,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let measured = among.into_iter().filter_map(|known| {
        let folded = known.to_lowercase();
        near(&typed, &folded).then(|| {
            let alike = typed.chars().zip(folded.chars()).take_while(|(a, b)| a == b).count();
            (strsim::osa_distance(&typed, &folded), Reverse(alike), known)
        })
    });
    // The first of several that are least stays.
    measured.min_by_key(|(distance, alike, _)| (*distance, *alike)).map(|(.., known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_word_is_the_one_that_was_meant() {
        let check = |typed: &str, among: &[&'static str], expected: Option<&str>| {
            assert_eq!(word(typed, among.iter().copied()), expected, "{typed} of {among:?}");
            let mut turned = among.to_vec();
            turned.reverse();
            assert_eq!(word(typed, turned), expected, "{typed}, whatever their order");
        };
        check("rebse", &["revise", "reject", "rebase", "revert"], Some("rebase"));
        check("revet", &["revise", "rebase", "reject", "revert"], Some("revert"));
        check("shwo", &["show", "schema"], Some("show"));
        check("put-dri", &["put", "put-dir"], Some("put-dir"));
        check("Language", &["name", "language"], Some("language"));
        check("frobnicate", &["show", "apply"], None);
        // As close, and begins alike for longer.
        check("doe", &["toe", "dog"], Some("dog"));
    }

    #[test]
    fn the_closest_path_is_the_one_that_was_meant() {
        let check = |typed: &str, among: &[&'static str], expected: Option<&str>| {
            assert_eq!(path(typed, among), expected, "{typed} of {among:?}");
        };
        check("hrga.json", &["garam.json", "harga-lama.json", "harga.json"], Some("harga.json"));
        check("Menu.MD", &["menu.md", "meni.md"], Some("menu.md"));
        check("docs/reedme.md", &["docs/readme.md", "docs/index.md"], Some("docs/readme.md"));
        check("harga.json", &["menu.md", "toko/harga.json"], Some("toko/harga.json"));
        check("harga.json", &["a/b/c/harga.json", "toko/lama/harga.json"], None);
        check("laporan.csv", &["menu.md", "harga.json"], None);
        check("x", &[], None);
    }
}
