//! The description of the API: what stands in `docs` is what the routes say.

use serde_json::Value;

use crate::room::Room;

const COMMITTED: &str = include_str!("../../../../docs/openapi.json");

#[test]
fn the_committed_description_is_the_present_one() {
    let present = serde_json::to_string_pretty(&sekali_api::openapi()).unwrap() + "\n";
    assert!(
        COMMITTED == present,
        "docs/openapi.json is out of date; run: cargo run -p sekali-api --example openapi > docs/openapi.json"
    );
}

#[tokio::test]
async fn the_served_description_is_the_same() {
    let served = Room::new().ani().get("/v1/openapi.json").await.json();
    assert_eq!(served, serde_json::from_str::<Value>(COMMITTED).unwrap());
    assert!(served["openapi"].as_str().unwrap().starts_with("3.1"));
}

/// Every reference leads somewhere, and every route says how it refuses.
#[test]
fn the_description_is_whole() {
    let described: Value = serde_json::from_str(COMMITTED).unwrap();
    let mut references = 0;
    let mut walk = vec![&described];
    while let Some(value) = walk.pop() {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    let pointer = reference.strip_prefix('#').unwrap();
                    assert!(described.pointer(pointer).is_some(), "{reference}");
                    references += 1;
                }
                walk.extend(members.values());
            }
            Value::Array(items) => walk.extend(items),
            _ => {}
        }
    }
    assert!(references > 100, "{references}");
    for (path, item) in described["paths"].as_object().unwrap() {
        assert!(!path.contains('*'), "{path}");
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["operationId"].is_string(), "{method} {path}");
            assert!(operation["responses"]["default"].is_object(), "{method} {path}");
        }
    }
}
