//! Serves the API and the built user interface on a local port, so that a browser can be driven
//! against the real store. For tests and screenshots only: it is never shipped, and the token on
//! its command line is no secret.

use std::error::Error;
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use clap::{Arg, ArgMatches, Command};
use sekali_api::Host;
use sekali_core::text::ActorName;
use sekali_core::{Code, Door, Lang};
use sekali_engine::{Caller, Engine, Failure, demo};
use sekali_store_sqlite::{Options, SqliteStore};
use tower::ServiceExt as _;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

type Answer<T> = Result<T, Box<dyn Error>>;

/// The desktop's settings: its pages get the same policy here.
const DESKTOP: &str = include_str!("../../../src-tauri/tauri.conf.json");

fn main() -> Answer<()> {
    let asked = command().get_matches();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(&asked))
}

fn command() -> Command {
    let word = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("sekali-test-host")
        .about("Serves the API and the user interface on 127.0.0.1, for tests")
        .arg(word("store", "PATH", "The store; made where there is none").required(true))
        .arg(
            word("demo", "LANG", "Build the demo room, where it is not there yet").value_parser(["en", "id"]),
        )
        .arg(
            word("port", "N", "0 takes a free one").default_value("0").value_parser(clap::value_parser!(u16)),
        )
        .arg(word("token", "T", "What requests must carry").required(true))
        .arg(word("ui", "DIR", "The built user interface"))
        .arg(word("as", "NAME", "Who acts: NAME or agent:NAME").default_value("Ani"))
        .arg(
            word("door", "DOOR", "What receipts say")
                .default_value("desktop")
                .value_parser(["desktop", "http"]),
        )
        .arg(
            word("lang", "LANG", "Of hints, where a request names none")
                .default_value("en")
                .value_parser(["en", "id"]),
        )
}

fn text<'a>(asked: &'a ArgMatches, name: &str) -> Option<&'a str> {
    asked.get_one::<String>(name).map(String::as_str)
}

fn lang(word: Option<&str>) -> Option<Lang> {
    word.and_then(Lang::from_tag)
}

async fn serve(asked: &ArgMatches) -> Answer<()> {
    let caller = Caller {
        name: ActorName::parse("as", text(asked, "as").unwrap_or_default())?,
        door: text(asked, "door").unwrap_or_default().parse::<Door>()?,
        os_user: Some("tester".to_owned()),
    };
    let engine = open(Path::new(text(asked, "store").unwrap_or_default()))?;
    if let Some(lang) = lang(text(asked, "demo")) {
        match demo::build(&engine, &caller, lang, &mut |_, _| {}) {
            Err(Failure::Refused(refusal)) if refusal.code == Code::RoomExists => {}
            other => drop(other?),
        }
    }
    let port = asked.get_one::<u16>("port").copied().unwrap_or(0);
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    let names: Vec<String> = ["127.0.0.1", "localhost"].iter().map(|name| format!("{name}:{port}")).collect();
    let token = text(asked, "token").unwrap_or_default().to_owned();
    let api = sekali_api::router(Arc::new(Host {
        engine,
        caller,
        token: token.clone(),
        lang: lang(text(asked, "lang")).unwrap_or_default(),
        allowed_origins: names.iter().map(|name| format!("http://{name}")).collect(),
        allowed_hosts: Some(names.clone()),
    }));
    let base = format!("http://127.0.0.1:{port}");
    let line = serde_json::json!({ "port": port, "url": format!("{base}/#token={token}&api={base}") });
    writeln!(std::io::stdout(), "{line}")?;
    axum::serve(listener, whole(api, text(asked, "ui").map(PathBuf::from), names)?).await?;
    Ok(())
}

fn open(path: &Path) -> Answer<Engine> {
    let store = if path.exists() {
        SqliteStore::open(path, Options::default())?
    } else {
        SqliteStore::create(path, Options::default())?
    };
    Ok(Engine::new(Arc::new(store)))
}

/// The API under `/v1`, the user interface elsewhere.
fn whole(api: Router, ui: Option<PathBuf>, names: Vec<String>) -> Answer<Router> {
    let api = axum::routing::any(move |request: Request| api.clone().oneshot(request));
    let router = Router::new().route("/v1/{*rest}", api);
    let Some(ui) = ui else { return Ok(router) };
    let always = |name: HeaderName, value: HeaderValue| SetResponseHeaderLayer::overriding(name, value);
    let pages = Router::new()
        .fallback_service(ServeDir::new(ui))
        .layer(always(CONTENT_SECURITY_POLICY, policy()?))
        .layer(always(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .layer(always(REFERRER_POLICY, HeaderValue::from_static("no-referrer")))
        .layer(always(CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .layer(from_fn(move |request: Request, next: Next| {
            let known = request
                .headers()
                .get("host")
                .is_some_and(|host| names.iter().any(|name| host == name.as_str()));
            served(known, request, next)
        }));
    Ok(router.fallback_service(pages))
}

async fn served(known: bool, request: Request, next: Next) -> Response {
    if known { next.run(request).await } else { StatusCode::FORBIDDEN.into_response() }
}

/// The desktop's policy, with this origin in place of its schemes.
fn policy() -> Answer<HeaderValue> {
    let settings: serde_json::Value = serde_json::from_str(DESKTOP)?;
    let directives = settings["app"]["security"]["csp"].as_object().ok_or("the desktop has no policy")?;
    let written: Vec<String> = directives
        .iter()
        .map(|(name, sources)| match name.as_str() {
            "connect-src" => format!("{name} 'self'"),
            _ => format!("{name} {}", sources.as_str().unwrap_or("'none'")),
        })
        .collect();
    Ok(HeaderValue::from_str(&written.join("; "))?)
}
