mod patches;

use super::*;
use crate::change::SubmittedBase;
use crate::hash::Commitment;
use crate::path::lies_below;

fn path(text: &str) -> DocPath {
    DocPath::parse("path", text).unwrap()
}

fn version(content: &str) -> Version {
    Version {
        hash: ContentHash::of(content.as_bytes()),
        mode: Mode::Plain,
        commitment: Commitment::from_bytes([1; 32]),
        bytes: content.len() as u64,
    }
}

fn put(p: &str, content: &str) -> Submitted {
    Submitted::Put { path: path(p), content: content.into(), base: None, mode: None }
}

fn del(p: &str) -> Submitted {
    Submitted::Delete { path: path(p), base: None }
}

fn ren(from: &str, to: &str) -> Submitted {
    Submitted::Rename { from: path(from), path: path(to), base: None }
}

/// A room by its paths and contents, what has `.sh` in its name executable. It gives what lies below one by one.
struct Few(&'static [(&'static str, &'static str)]);

impl Few {
    fn find(&self, wanted: impl Fn(&DocPath) -> bool) -> Option<Current> {
        let of = |name: &str, content: &str| {
            let mode = if name.contains(".sh") { Mode::Executable } else { Mode::Plain };
            (path(name), Version { mode, ..version(content) })
        };
        let mut all: Vec<_> = self.0.iter().map(|(name, content)| of(name, content)).collect();
        all.sort_by(|(a, _), (b, _)| a.key().cmp(b.key()));
        let found = all.into_iter().find(|(path, _)| wanted(path));
        found.map(|(path, version)| Current { path, version })
    }
}

/// What every room here has held before: one older content of each document, and one that went.
const BEFORE: [(&str, &str); 2] = [("a", "0"), ("gone", "7")];

impl Snapshot<Refusal> for Few {
    fn once(&mut self, wanted: &DocPath, content: &ContentHash) -> Result<Option<Current>, Refusal> {
        let all = BEFORE.iter().chain(self.0).map(|(name, text)| (path(name), version(text)));
        let mut found = all.filter(|(at, held)| at.key() == wanted.key() && held.hash == *content);
        Ok(found.next().map(|(path, version)| Current { path, version }))
    }

    fn home(&mut self, path: &DocPath, _: &Version) -> Result<Home, Refusal> {
        Ok(Home::Instead(path.clone()))
    }

    fn content(&mut self, of: &Current) -> Result<Vec<u8>, Refusal> {
        let mut all = BEFORE.iter().chain(self.0);
        let (_, text) = all.find(|(_, text)| ContentHash::of(text.as_bytes()) == of.version.hash).unwrap();
        Ok(text.as_bytes().to_vec())
    }

    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, Refusal> {
        Ok(self.find(|p| p.key() == path.key()))
    }
    fn above(&mut self, path: &DocPath) -> Result<Option<Current>, Refusal> {
        Ok(self.find(|p| lies_below(path.key(), p.key())))
    }
    fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, Refusal> {
        let later = |p: &DocPath| after.is_none_or(|after| p.key() > after.key());
        Ok(self.find(|p| lies_below(p.key(), path.key()) && later(p)).into_iter().collect())
    }
}

/// A room whose documents are said to be of 1 GiB each.
struct Huge;

impl Snapshot<Refusal> for Huge {
    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, Refusal> {
        Ok(Some(Current { path: path.clone(), version: Version { bytes: 1 << 30, ..version("{}") } }))
    }
    fn once(&mut self, _: &DocPath, _: &ContentHash) -> Result<Option<Current>, Refusal> {
        Ok(None)
    }
    fn home(&mut self, path: &DocPath, _: &Version) -> Result<Home, Refusal> {
        Ok(Home::Instead(path.clone()))
    }
    fn content(&mut self, _: &Current) -> Result<Vec<u8>, Refusal> {
        Ok(b"{}".to_vec())
    }
    fn above(&mut self, _: &DocPath) -> Result<Option<Current>, Refusal> {
        Ok(None)
    }
    fn below(&mut self, _: &DocPath, _: Option<&DocPath>) -> Result<Vec<Current>, Refusal> {
        Ok(Vec::new())
    }
}

#[test]
fn what_a_submission_has_read_and_made_is_bounded_too() {
    let edit = |k: usize| Submitted::JsonEdit {
        form: crate::change::JsonForm::MergePatch,
        path: path(&format!("{k}.json")),
        patch: br#"{"a":1}"#.to_vec(),
        base: None,
    };
    let edits = |count: usize| (0..count).map(edit).collect::<Vec<_>>();
    assert_eq!(resolve::<Refusal>(&edits(3), &mut Huge).expect("3 GiB").len(), 3);
    let refusal = resolve::<Refusal>(&edits(4), &mut Huge).expect_err("4 GiB and what was made");
    assert_eq!((refusal.code, refusal.facts.field.as_deref()), (Code::LimitExceeded, Some("changes")));
    assert_eq!(refusal.facts.limit, Some(crate::limit::WORK_BYTES));
}

#[test]
fn what_a_rebase_reads_is_bounded_and_names_the_request() {
    let mut room = Huge;
    let mut overlay: Overlay<'_, '_, Refusal> = Overlay::new(&mut room).naming("number");
    let paths: Vec<DocPath> = (0..5).map(|n| path(&format!("{n}.json"))).collect();
    let was = version("");
    let parts = paths.iter().enumerate();
    overlay
        .begin(parts.map(|(by, at)| Part { by, at, was: Some(&was), leaves: false }))
        .expect("all are there");
    let held = |content: &str| Some(Held { content: content.into(), mode: Mode::Plain });
    let mut carry = |by: usize| {
        overlay.transplant(
            by,
            Transplant {
                at: paths[by].clone(),
                to: paths[by].clone(),
                before: held("{}"),
                after: held("{}\n"),
                edits: &[],
                choice: None,
            },
        )
    };
    for by in 0..3 {
        assert!(!carry(by).expect("3 GiB").is_conflict());
    }
    let refusal = (3..5).find_map(|by| carry(by).err()).expect("more than 4 GiB");
    assert_eq!((refusal.code, refusal.facts.field.as_deref()), (Code::LimitExceeded, Some("number")));
}

/// Resolves against a room with `a` = "1" and `b` = "2", and shows the net changes.
fn net(changes: &[Submitted]) -> Result<Vec<String>, Code> {
    net_in(&[("a", "1"), ("b", "2")], changes).map_err(|r| r.code)
}

fn net_in(
    room: &'static [(&'static str, &'static str)],
    changes: &[Submitted],
) -> Result<Vec<String>, Refusal> {
    let show = |r: Resolved<'_>| {
        let after = match r.after {
            None => "absent".to_owned(),
            Some((After::Same, mode)) => format!("same {}", mode.as_str()),
            Some((After::Content(c), _)) => String::from_utf8_lossy(&c).into_owned(),
        };
        let from = r.from.map(|f| format!("{f}>")).unwrap_or_default();
        format!("{} {from}{} {after}", r.op.as_str(), r.path)
    };
    resolve(changes, &mut Few(room)).map(|net| net.into_iter().map(show).collect())
}

#[test]
fn a_path_is_a_document_or_a_folder() {
    let room = &[("a", "1"), ("d/x", "2"), ("d/y/z", "3"), ("d.md", "4")];
    let check = |changes: &[Submitted], expected: Result<usize, &str>| match (net_in(room, changes), expected)
    {
        (Ok(net), Ok(count)) => assert_eq!(net.len(), count, "{changes:?} {net:?}"),
        (Err(refusal), Err(field)) => {
            assert_eq!(refusal.code, Code::PathCollision, "{}", refusal.detail);
            assert_eq!(refusal.facts.field.as_deref(), Some(field), "{}", refusal.detail);
        }
        (got, _) => panic!("{changes:?}: {got:?}"),
    };
    let at = |index: usize| ["changes[0].path", "changes[1].path", "changes[2].path"][index];
    check(&[put("a/b", "9")], Err(at(0)));
    check(&[put("A/b/c", "9")], Err(at(0)));
    check(&[put("d", "9")], Err(at(0)));
    check(&[put("D/Y", "9")], Err(at(0)));
    check(&[put("d/x/new", "9")], Err(at(0)));
    check(&[put("d/new", "9"), put("ab", "9"), put("a.b", "9")], Ok(3));
    check(&[ren("a", "d")], Err(at(0)));
    check(&[ren("d/x", "a/x")], Err(at(0)));
    check(&[ren("d/x", "d")], Err(at(0)));
    // The same submission frees the place, in whatever order it says so.
    check(&[ren("a", "a/b")], Ok(1));
    check(&[del("a"), put("a/b", "9")], Ok(2));
    check(&[put("a/b", "9"), del("a")], Ok(2));
    check(&[del("d/x"), put("d", "9")], Err(at(1)));
    check(&[del("d/x"), del("d/y/z"), put("d", "9")], Ok(3));
    check(&[ren("d/x", "d"), ren("d/y/z", "z")], Ok(2));
    check(&[del("d/x"), ren("d/y/z", "d")], Ok(2));
    // It may not take with one hand what it gives with the other.
    check(&[del("a"), put("a/b", "9"), put("a", "8")], Err(at(1)));
    check(&[put("n", "9"), put("N/m", "9")], Err(at(1)));
    check(&[put("n/m", "9"), put("n", "9")], Err(at(1)));
    check(&[put("n", "9"), put("n!", "9"), put("n/m/o", "9")], Err(at(2)));
    check(&[put("n", "9"), del("n"), put("n/m", "9")], Ok(1));
}

#[test]
fn changes_resolve_in_order_to_one_net_change_each() {
    let check = |changes: &[Submitted], expected: Result<&[&str], Code>| {
        let got = net(changes);
        let expected = expected.map(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(got, expected, "{changes:?}");
    };
    check(&[put("c", "3")], Ok(&["create c 3"]));
    check(&[put("a", "9")], Ok(&["replace a 9"]));
    check(&[put("A", "9")], Ok(&["replace a 9"]));
    check(&[put("a", "9"), put("a", "8")], Ok(&["replace a 8"]));
    check(&[put("a", "1")], Err(Code::ProposalNoChange));
    check(&[put("a", "9"), put("a", "1")], Err(Code::ProposalNoChange));
    check(&[put("c", "3"), del("c")], Err(Code::ProposalNoChange));
    check(&[del("a")], Ok(&["delete a absent"]));
    check(&[del("a"), put("a", "9")], Ok(&["replace a 9"]));
    check(&[del("a"), put("A", "9")], Ok(&["rename a>A 9"]));
    check(&[del("c")], Err(Code::DocumentNotFound));
    check(&[del("a"), del("a")], Err(Code::DocumentNotFound));
    check(&[ren("a", "c")], Ok(&["rename a>c same 100644"]));
    check(&[ren("a", "A")], Ok(&["rename a>A same 100644"]));
    check(&[ren("a", "b")], Err(Code::DocumentExists));
    check(&[ren("a", "B")], Err(Code::PathCollision));
    check(&[ren("a", "c"), put("a", "7")], Ok(&["rename a>c same 100644", "create a 7"]));
    check(
        &[ren("a", "t"), ren("b", "a"), ren("t", "b")],
        Ok(&["rename a>b same 100644", "rename b>a same 100644"]),
    );
    check(&[ren("a", "c"), ren("c", "a")], Err(Code::ProposalNoChange));
    check(&[ren("a", "c"), put("c", "5")], Ok(&["rename a>c 5"]));
    check(&[del("b"), ren("a", "b")], Ok(&["delete b absent", "rename a>b same 100644"]));
    check(&[put("x", "1"), put("X", "2")], Err(Code::PathCollision));
    check(&[], Err(Code::ProposalNoChange));
    let exec =
        Submitted::Put { path: path("a"), content: b"1".to_vec(), base: None, mode: Some(Mode::Executable) };
    check(&[exec], Ok(&["replace a same 100755"]));
}

#[test]
fn a_carried_base_is_what_the_change_is_made_on_if_it_was_ever_there() {
    let with = |at: &str, base| Submitted::Put {
        path: path(at),
        content: b"9".to_vec(),
        base: Some(base),
        mode: None,
    };
    let on = |text: &str| SubmittedBase::Content(ContentHash::of(text.as_bytes()));
    let base_of = |changes: &[Submitted]| {
        let net = resolve(changes, &mut Few(&[("a", "1"), ("b", "2")]))?;
        Ok(net.iter().map(|c| c.base.as_ref().map(|b| b.hash)).collect::<Vec<_>>())
    };
    let check = |changes: &[Submitted], expected: Result<&[Option<&str>], Code>| {
        let got = base_of(changes).map_err(|refusal: Refusal| refusal.code);
        let hash = |text: Option<&str>| text.map(|text| ContentHash::of(text.as_bytes()));
        assert_eq!(got, expected.map(|e| e.iter().copied().map(hash).collect()), "{changes:?}");
    };
    check(&[with("a", on("1"))], Ok(&[Some("1")]));
    check(&[with("a", on("0"))], Ok(&[Some("0")]));
    check(&[with("a", SubmittedBase::Absent)], Ok(&[None]));
    check(&[with("gone", on("7"))], Ok(&[Some("7")]));
    check(&[with("a", on("5"))], Err(Code::ProposalStale));
    check(&[with("new", SubmittedBase::Absent)], Ok(&[None]));
    check(&[with("new", on("7"))], Err(Code::ProposalStale));
    // What one change began on, another cannot have read otherwise.
    check(&[with("a", on("0")), with("a", on("0"))], Ok(&[Some("0")]));
    check(&[with("a", on("0")), with("a", on("1"))], Err(Code::ProposalStale));
    check(&[put("a", "3"), with("a", on("0"))], Err(Code::ProposalStale));
}
