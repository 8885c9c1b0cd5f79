//! The JSON parsing test suite through two doors: what is no JSON is refused and leaves nothing,
//! what is JSON is never called bad JSON, whatever else is wrong with it.

use axum::http::Method;

use crate::room::Room;

#[tokio::test]
async fn the_json_test_suite() {
    let Some(corpora) = sekali_tests::corpora() else { return };
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let before = room.state();
    let folder = corpora.join("json-test-suite/test_parsing");
    let (mut yes, mut no, mut either) = (0, 0, 0);
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
                    assert_ne!(code, "body.invalid_json", "{name} {uri}");
                    yes += 1;
                }
                "i_" => either += 1,
                _ => panic!("{name}"),
            }
        }
    }
    assert!(yes >= 2 * 40 && no >= 2 * 90 && either >= 2 * 15, "{yes} {no} {either}");
    // The process is up, and the proposal as it was.
    assert_eq!(ani.get("/v1/rooms/main/proposals/1").await.json()["state"], "waiting");
}
