//! Many threads of one process press Apply on every waiting proposal of a room, once each, and
//! print what they were told: `NUMBER applied SEQ`, `NUMBER replayed SEQ` or `NUMBER CODE`, a line
//! each, before the next press. What is printed as applied must never be gone afterwards.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sekali_core::Door;
use sekali_core::decide::Outcome;
use sekali_core::role::{Seen, State};
use sekali_core::text::ActorName;
use sekali_engine::{Caller, Engine};
use sekali_store_sqlite::{Options, SqliteStore};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, store, threads] = &args[..] else { panic!("presser STORE THREADS") };
    let threads: usize = threads.parse().expect("a number of threads");
    let store = SqliteStore::open(Path::new(store), Options::default()).expect("a store");
    let engine = Engine::new(Arc::new(store));
    let name = ActorName::parse("as", "Ani").expect("a plain name");
    let caller = Caller { name, door: Door::Http, os_user: Some("presser".to_owned()) };
    let room = engine.only_room().expect("one room").slug;
    let mut waiting = Vec::new();
    loop {
        let before = waiting.last().map(|(_, id)| *id);
        let page = engine.list(&caller, &room, Some(State::Waiting), before, 200).expect("a list");
        if page.is_empty() {
            break;
        }
        waiting.extend(page.into_iter().map(|one| (one.row.number, one.row.id)));
    }
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((number, _)) = waiting.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let told = match engine.apply(&caller, &room, *number, Seen::Nothing) {
                        Ok(Outcome::Applied(receipt)) => format!("applied {}", receipt.facts().seq),
                        Ok(Outcome::Replayed(receipt, _)) => {
                            format!("replayed {}", receipt.facts().seq)
                        }
                        Ok(Outcome::Refused(refusal)) => refusal.code.to_string(),
                        Err(error) => error.code.to_string(),
                    };
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "{number} {told}").and_then(|()| out.flush()).expect("the test reads");
                }
            });
        }
    });
}
