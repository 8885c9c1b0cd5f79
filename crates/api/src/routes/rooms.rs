//! The store, its rooms and their members.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sekali_engine::Failure;

use crate::Host;
use crate::answer::{Failed, blocking, json};
use crate::asked::{InRoom, NoQuery};
use crate::body::Json;
use crate::types::{AddMember, CreateRoom, Member, MemberList, Room, RoomList, StoreInfo};

type Answer = Result<Response, Failed>;

/// What the store says of itself, and who asks.
#[utoipa::path(
    get, path = "/v1/store", tag = "store", operation_id = "store",
    responses((status = 200, description = "The store", body = StoreInfo)),
)]
pub(crate) async fn store(State(host): State<Arc<Host>>, _: NoQuery) -> Answer {
    blocking(&host, |host| json(StatusCode::OK, &StoreInfo::of(host.engine.store().facts()?, &host.caller)))
        .await
}

/// All rooms of the store.
#[utoipa::path(
    get, path = "/v1/rooms", tag = "rooms", operation_id = "rooms",
    responses((status = 200, description = "In the order in which they were made", body = RoomList)),
)]
pub(crate) async fn list(State(host): State<Arc<Host>>, _: NoQuery) -> Answer {
    blocking(&host, |host| {
        let rooms = host.engine.rooms()?;
        let views = rooms.iter().map(|room| host.engine.view_room(&host.caller, &room.slug));
        let items = views.map(|view| view.map(|view| Room::of(view, &host.caller)));
        json(StatusCode::OK, &RoomList { items: items.collect::<Result<_, _>>()? })
    })
    .await
}

/// Makes a room; the caller becomes its maintainer.
#[utoipa::path(
    post, path = "/v1/rooms", tag = "rooms", operation_id = "createRoom", request_body = CreateRoom,
    responses((status = 201, description = "Made", body = Room)),
)]
pub(crate) async fn create(
    State(host): State<Arc<Host>>,
    _: NoQuery,
    Json(asked): Json<CreateRoom>,
) -> Answer {
    blocking(&host, move |host| {
        let made = host.engine.create_room(&host.caller, &asked.slug, &asked.title)?;
        let view = host.engine.view_room(&host.caller, &made.slug).map_err(Failure::done_unseen)?;
        json(StatusCode::CREATED, &Room::of(view, &host.caller))
    })
    .await
}

/// One room.
#[utoipa::path(
    get, path = "/v1/rooms/{room}", tag = "rooms", operation_id = "room",
    params(("room" = String, Path, description = "Slug or id")),
    responses((status = 200, description = "The room", body = Room)),
)]
pub(crate) async fn one(State(host): State<Arc<Host>>, InRoom(room): InRoom, _: NoQuery) -> Answer {
    blocking(&host, move |host| {
        json(StatusCode::OK, &Room::of(host.engine.view_room(&host.caller, &room)?, &host.caller))
    })
    .await
}

/// The members, agents and sources of a room.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/members", tag = "rooms", operation_id = "members",
    params(("room" = String, Path, description = "Slug or id")),
    responses((status = 200, description = "By name", body = MemberList)),
)]
pub(crate) async fn members(State(host): State<Arc<Host>>, InRoom(room): InRoom, _: NoQuery) -> Answer {
    blocking(&host, move |host| {
        let rows = host.engine.members(&host.caller, &room)?;
        json(StatusCode::OK, &MemberList { items: rows.into_iter().map(Member::from).collect() })
    })
    .await
}

/// Adds a person with a role, or an agent without one.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/members", tag = "rooms", operation_id = "addMember", request_body = AddMember,
    params(("room" = String, Path, description = "Slug or id")),
    responses((status = 201, description = "Added", body = Member)),
)]
pub(crate) async fn add_member(
    State(host): State<Arc<Host>>,
    InRoom(room): InRoom,
    _: NoQuery,
    Json(asked): Json<AddMember>,
) -> Answer {
    blocking(&host, move |host| {
        let row = host.engine.add_member(&host.caller, &room, &asked.name, asked.role)?;
        json(StatusCode::CREATED, &Member::from(row))
    })
    .await
}

/// Sets a person's role; a room keeps at least one maintainer.
#[utoipa::path(
    put, path = "/v1/rooms/{room}/members", tag = "rooms", operation_id = "setMember", request_body = AddMember,
    params(("room" = String, Path, description = "Slug or id")),
    responses((status = 200, description = "Set", body = Member)),
)]
pub(crate) async fn set_member(
    State(host): State<Arc<Host>>,
    InRoom(room): InRoom,
    _: NoQuery,
    Json(asked): Json<AddMember>,
) -> Answer {
    blocking(&host, move |host| {
        let row = host.engine.set_role(&host.caller, &room, &asked.name, asked.role)?;
        json(StatusCode::OK, &Member::from(row))
    })
    .await
}
