//! The JSON parsing test suite through two doors: what is no JSON is refused and leaves nothing,
//! what is JSON is never called bad JSON unless our own rules say so, by name and reason.

use std::collections::BTreeSet;

use axum::http::Method;

use crate::room::Room;

/// Bodies that are JSON, and that we refuse as JSON all the same.
const REFUSED: [(&str, &str); 6] = [
    ("y_object_duplicated_key.json", "a duplicate member would be a guess about which one is meant"),
    ("y_object_duplicated_key_and_value.json", "likewise, even where both say the same"),
    ("y_number.json", "123e65 is beyond 2^53, where RFC 8785 would write different numbers alike"),
    ("y_number_real_capital_e.json", "1E22, likewise"),
    ("y_number_real_exponent.json", "123e45, likewise"),
    ("y_number_real_fraction_exponent.json", "123.456e78, likewise"),
];

#[tokio::test]
async fn the_json_test_suite() {
    let Some(corpora) = sekali_tests::corpora() else { return };
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let before = room.state();
    let folder = corpora.join("json-test-suite/test_parsing");
    let (mut yes, mut no, mut either) = (0, 0, 0);
    let mut refused = BTreeSet::new();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()).collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files {
        let name = file.file_name().to_string_lossy().into_owned();
        let body = std::fs::read(file.path()).unwrap();
        for uri in ["/v1/rooms/main/proposals", "/v1/rooms/main/proposals/1/withdraw"] {
            let answer = ani.write(Method::POST, uri, body.clone()).await;
            let code = answer.code();
            assert!(answer.status.is_client_error(), "{name} {uri} {answer:?}");
            assert_eq!(room.state(), before, "{name} {uri}");
            match &name[..2] {
                "n_" => {
                    assert_eq!(code, "body.invalid_json", "{name} {uri}");
                    no += 1;
                }
                "y_" => {
                    if code == "body.invalid_json" {
                        refused.insert(name.clone());
                    }
                    yes += 1;
                }
                "i_" => either += 1,
                _ => panic!("{name}"),
            }
        }
    }
    let there = REFUSED.iter().map(|(name, _)| (*name).to_owned()).filter(|name| folder.join(name).exists());
    assert_eq!(refused, there.collect::<BTreeSet<_>>());
    assert!(yes >= 2 * 40 && no >= 2 * 90 && either >= 2 * 15, "{yes} {no} {either}");
    // The process is up, and the proposal as it was.
    assert_eq!(ani.get("/v1/rooms/main/proposals/1").await.json()["state"], "waiting");
}
