//! Prints the description of the API: `cargo run -p sekali-api --example openapi > docs/openapi.json`.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let text = serde_json::to_string_pretty(&sekali_api::openapi())?;
    writeln!(std::io::stdout(), "{text}")
}
