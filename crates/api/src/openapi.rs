//! The description of the API, made from the routes and types themselves (OpenAPI 3.1).

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use utoipa::OpenApi as _;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, PathItem, Ref, RefOr, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::answer::{Failed, json};
use crate::asked::NoQuery;
use crate::problem::Problem;
use crate::routes::{documents, ledger, proposals, rooms, talk};
use crate::{Host, words};

/// Where the description itself is.
pub(crate) const PATH: &str = "/v1/openapi.json";

/// The scheme's name in the description.
const SCHEME: &str = "token";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Sekali",
        description = "A proposal in a room runs once; applying it again changes nothing and gives the first receipt.\n\n\
            This API is a library that the desktop's window and the tests speak to inside one process: nothing \
            listens on a port yet. Other programs use the command line with `--json`.\n\n\
            Every request but this description carries the token of the launch. Writes have a JSON body. \
            Refusals are `application/problem+json`; `code` is what programs branch on.\n\n\
            In `{path}` the slashes of a document's path stand as they are.",
    ),
    components(schemas(Problem, words::Code, words::DiffFormat))
)]
struct Description;

/// The routes, and their description.
pub(crate) fn described() -> (Router<Arc<Host>>, OpenApi) {
    let (router, mut api) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(rooms::store))
        .routes(routes!(rooms::list, rooms::create))
        .routes(routes!(rooms::one))
        .routes(routes!(rooms::members, rooms::add_member, rooms::set_member))
        .routes(routes!(proposals::list, proposals::submit))
        .routes(routes!(proposals::one))
        .routes(routes!(proposals::diff))
        .routes(routes!(proposals::apply))
        .routes(routes!(proposals::reject))
        .routes(routes!(proposals::reopen))
        .routes(routes!(proposals::withdraw))
        .routes(routes!(proposals::revise))
        .routes(routes!(proposals::preview_rebase, proposals::rebase))
        .routes(routes!(proposals::revert))
        .routes(routes!(proposals::split))
        .routes(routes!(talk::list, talk::say))
        .routes(routes!(documents::list))
        .routes(routes!(documents::content))
        .routes(routes!(documents::versions))
        .routes(routes!(ledger::entries))
        .routes(routes!(ledger::duplicates))
        .routes(routes!(ledger::changes))
        .routes(routes!(description))
        .split_for_parts();
    finish(&mut api);
    (router, api)
}

/// The description of the API.
pub fn openapi() -> OpenApi {
    described().1
}

/// Says what holds for every route.
fn finish(api: &mut OpenApi) {
    let paths = std::mem::take(&mut api.paths.paths);
    for (path, mut item) in paths {
        for operation in operations(&mut item) {
            let refusal = ResponseBuilder::new()
                .description("Not done; nothing changed unless the code says that it is unknown")
                .content("application/problem+json", Content::new(Some(Ref::from_schema_name("Problem"))));
            operation.responses.responses.insert("default".to_owned(), RefOr::T(refusal.build()));
        }
        // The router's way to say "the rest of the address".
        api.paths.paths.insert(path.replace("{*", "{"), item);
    }
    let token = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        "Sekali-Token",
        "The token of this launch, which the host gives to its own pages",
    )));
    api.components.get_or_insert_default().add_security_scheme(SCHEME, token);
    api.security = Some(vec![SecurityRequirement::new(SCHEME, Vec::<String>::new())]);
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post].into_iter().filter_map(Option::as_mut)
}

/// This description.
#[utoipa::path(
    get, path = "/v1/openapi.json", tag = "store", operation_id = "openapi",
    responses((status = 200, description = "OpenAPI 3.1", body = Object)),
    security(()),
)]
pub(crate) async fn description(_: NoQuery) -> Result<Response, Failed> {
    static TEXT: LazyLock<serde_json::Value> =
        LazyLock::new(|| serde_json::to_value(openapi()).unwrap_or_default());
    json(StatusCode::OK, &*TEXT)
}
