//! The command line `sekali`. Here: what surrounds an order, which is language, panics, exit
//! status. Orders are in `orders`, arguments in `args`.
//!
//! Exit status: 0 applied, replayed or done; 1 refused or not found; 2 usage; 3 unavailable or
//! unknown, safe to repeat; 4 the store is damaged; 70 a defect.

mod args;
mod failure;
mod files;
mod orders;
mod schema;
mod session;
mod settings;
mod show;
mod text;

use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use sekali_core::{Code, Lang};

use args::Parsed;
use failure::Failed;
use session::{Session, Surroundings};

/// Of documents of many MiB a good part of the time went into taking memory 4 KiB at a time. SQLite takes
/// its own here as well; how, is in `.cargo/config.toml`.
#[cfg(target_os = "linux")]
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What the last panic said, for the one who reports it.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    keep_panics_quiet();
    let args: Vec<OsString> = std::env::args_os().collect();
    let surroundings = Surroundings::look();
    let early = args::early(&args);
    let lang = early.lang.unwrap_or_else(|| surroundings.lang());
    let status = match panic::catch_unwind(AssertUnwindSafe(|| run(lang, args, surroundings))) {
        Ok(Ok(status)) => status,
        Ok(Err(failed)) => {
            match last_panic() {
                Some(message) if failed.is_defect() => failure::say_panic(lang, early.json, &message),
                _ => failed.say(lang, early.json),
            }
            failed.exit()
        }
        Err(_) => {
            failure::say_panic(lang, early.json, &last_panic().unwrap_or_default());
            Code::Internal.exit()
        }
    };
    ExitCode::from(status)
}

fn run(lang: Lang, args: Vec<OsString>, surroundings: Surroundings) -> Result<u8, Failed> {
    let command = args::named_command(&args);
    match args::parse(lang, args) {
        Ok(Parsed::Show(text)) => {
            use std::io::Write as _;
            let mut out = show::Out::new();
            write!(out, "{text}")?;
            out.finish()?;
            Ok(0)
        }
        Ok(Parsed::Order(globals, order)) => {
            orders::carry_out(&Session::new(lang, globals, surroundings)?, *order)
        }
        Err(failed) => Err(args::with_help(failed, lang, command)),
    }
}

fn last_panic() -> Option<String> {
    let message = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (!message.is_empty()).then_some(message)
}

/// A panic is said once, as a problem, after unwinding; a panic of the writer's thread comes back
/// as a failure of the store. `RUST_BACKTRACE` shows both as Rust does.
fn keep_panics_quiet() {
    let standard = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            standard(info);
        }
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        let said = info.payload_as_str().unwrap_or("no message");
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("{said}{place}");
    }));
}
