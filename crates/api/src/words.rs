//! Schemas of the words and texts whose types are in core: OpenAPI reads them from there, so that
//! the two lists cannot part.

use sekali_core::conflict::ConflictKind as AnyConflictKind;
use sekali_core::talk::{CommentKind as AnyCommentKind, LineSide as AnyLineSide};
use sekali_core::{
    ActorKind as Kind, Code as AnyCode, Door as AnyDoor, Mode as AnyMode, Op as AnyOp, Retry as AnyRetry,
    Role as AnyRole, State as AnyState,
};
use sekali_engine::rebase::RebaseOutcome as AnyRebaseOutcome;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

/// Makes a type that exists only as a schema.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident = $schema:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                RefOr::T(Schema::Object($schema.schema_type(Type::String).build()))
            }
        }

        impl ToSchema for $name {}
    )+};
}

fn words<T: Copy>(all: &[T], text: impl Fn(T) -> &'static str) -> ObjectBuilder {
    ObjectBuilder::new().enum_values(Some(all.iter().map(|word| text(*word))))
}

fn text(pattern: &str, what: &str) -> ObjectBuilder {
    ObjectBuilder::new().pattern(Some(pattern)).description(Some(what))
}

texts! {
    /// `person`, `agent`, `source`; `system` only in receipts.
    ActorKind = words(Kind::ALL, Kind::as_str);
    /// A dotted code.
    Code = words(AnyCode::ALL, AnyCode::as_str);
    /// What a comment does.
    CommentKind = words(AnyCommentKind::ALL, AnyCommentKind::as_str);
    /// A side of a change.
    LineSide = words(AnyLineSide::ALL, AnyLineSide::as_str);
    /// The way in.
    Door = words(AnyDoor::ALL, AnyDoor::as_str);
    /// What a person may do.
    Role = words(AnyRole::ALL, AnyRole::as_str);
    /// Where a proposal stands.
    State = words(AnyState::ALL, AnyState::as_str);
    /// What happens to a document.
    Op = words(AnyOp::ALL, AnyOp::as_str);
    /// What kind of conflict it is.
    ConflictKind = words(AnyConflictKind::ALL, AnyConflictKind::as_str);
    /// What comes of carrying a change onto newer documents.
    RebaseOutcome = words(AnyRebaseOutcome::ALL, AnyRebaseOutcome::as_str);
    /// A file mode.
    Mode = words(AnyMode::ALL, AnyMode::as_str);
    /// Whether and when asking again makes sense.
    Retry = words(AnyRetry::ALL, AnyRetry::as_str);
    /// In which form a difference is wanted.
    DiffFormat = words(&["json", "patch"], |word| word);
    /// A SHA-256 hash as it is written.
    Sha256 = text("^sha256:[0-9a-f]{64}$", "SHA-256 in lower-case hex");
    /// A commitment, or nothing.
    Side = text("^(absent|sha256:[0-9a-f]{64})$", "A salted commitment as the ledger quotes it, or that nothing is there");
    /// What a document held, or nothing.
    Base = text("^(absent|sha256:[0-9a-f]{64})$", "SHA-256 of a content, or that nothing is there");
    /// 32 bytes in hex.
    Hex = text("^[0-9a-f]{64}$", "32 bytes in lower-case hex");
    /// An instant.
    Time = ObjectBuilder::new()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .description(Some("RFC 3339 in UTC with three decimals"));
    /// An id.
    Id = ObjectBuilder::new().format(Some(SchemaFormat::Custom("uuid".to_owned())));
    /// Content as it is.
    Bytes = ObjectBuilder::new().format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
    /// The key of a version.
    VersionKey = text("^[0-9]+\\.[0-9]+$", "Ledger entry and change within it");
}

/// Two UTF-16 offsets.
pub(crate) enum Span {}

impl PartialSchema for Span {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let pair = utoipa::openapi::ArrayBuilder::new().items(number).min_items(Some(2)).max_items(Some(2));
        RefOr::T(Schema::Array(pair.description(Some("From and to, in UTF-16 code units")).build()))
    }
}

impl ToSchema for Span {}
