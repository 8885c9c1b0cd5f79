//! `Read` over one connection, and the conversions between columns and Sekali's types. The
//! statements are in the files of their tables.

use rusqlite::{Connection, Row, RowIndex};
use sekali_core::change::Version;
use sekali_core::decide::{AppliedFacts, Standing};
use sekali_core::hash::{Commitment, ContentHash};
use sekali_core::revision::EffectKey;
use sekali_core::time::{Now, Timestamp};
use sekali_core::{ActorId, ActorKind, CommentId, DocPath, Mode, ProposalId};
use sekali_store::{
    ActorRow, AttemptRow, ChangeRow, Clock, CommentRow, ContentRow, DocumentRow, EffectWinner, EntryRow,
    FoundComment, HeadRow, Layer, LinkRow, ListQuery, ListedRow, ProposalRow, Read, RepeatMark, RepeatRow,
    Reservation, RevisionRow, RoomKey, RoomRow, StoreError, SubmittedRow, TalkRow, VersionKey, VersionRow,
    WaitingRow,
};

use crate::{actors, comments, documents, evidence, fence, ledger, list, proposals, rooms, submitted};

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// One snapshot.
pub(crate) struct Reader<'c> {
    pub(crate) conn: &'c Connection,
    pub(crate) clock: &'c dyn Clock,
}

impl Read for Reader<'_> {
    fn now(&self, room: RoomKey) -> Result<Now> {
        Ok(Now::decide(self.clock.wall(), self.head(room)?.last_at))
    }

    fn head(&self, room: RoomKey) -> Result<HeadRow> {
        Ok(rooms::head(self.conn, room)?.row())
    }

    fn actor(&self, room: RoomKey, id: ActorId) -> Result<Option<ActorRow>> {
        actors::by_id(self.conn, room, id)
    }

    sekali_reads!();
}

/// Every verb of `Read` that is the same inside and outside a write transaction.
macro_rules! sekali_reads {
    () => {
        fn wall(&self) -> Timestamp {
            self.clock.wall()
        }
        fn rooms(&self) -> Result<Vec<RoomRow>> {
            rooms::all(self.conn)
        }
        fn count_expired(&self, room: RoomKey, now: Now) -> Result<u64> {
            fence::count_expired(self.conn, room, now)
        }
        fn actor_named(&self, room: RoomKey, kind: ActorKind, name: &str) -> Result<Option<ActorRow>> {
            actors::by_name(self.conn, room, kind, name)
        }
        fn actors(&self, room: RoomKey) -> Result<Vec<ActorRow>> {
            actors::all(self.conn, room)
        }
        fn proposal(&self, room: RoomKey, number: u64) -> Result<Option<ProposalRow>> {
            proposals::by_number(self.conn, room, number)
        }
        fn proposal_with_open(
            &self,
            room: RoomKey,
            number: u64,
        ) -> Result<Option<(ProposalRow, Option<WaitingRow>)>> {
            proposals::with_open(self.conn, room, number)
        }
        fn effect_keys(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<EffectKey>> {
            proposals::effect_keys(self.conn, room, id, revision)
        }
        fn proposal_by_id(&self, room: RoomKey, id: ProposalId) -> Result<Option<ProposalRow>> {
            proposals::by_id(self.conn, room, id)
        }
        fn standing(&self, room: RoomKey, id: ProposalId) -> Result<Option<Standing>> {
            fence::standing(self.conn, room, id)
        }
        fn receipt(&self, room: RoomKey, id: ProposalId) -> Result<Option<AppliedFacts>> {
            fence::applied(self.conn, room, id)
        }
        fn revision(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Option<RevisionRow>> {
            proposals::revision(self.conn, room, id, revision)
        }
        fn revisions(&self, room: RoomKey, id: ProposalId) -> Result<Vec<RevisionRow>> {
            proposals::revisions(self.conn, room, id)
        }
        fn changes(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<ChangeRow>> {
            proposals::changes(self.conn, room, id, revision)
        }
        fn submitted(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<SubmittedRow>> {
            submitted::of(self.conn, room, id, revision)
        }
        fn links(&self, room: RoomKey, id: ProposalId) -> Result<Vec<LinkRow>> {
            submitted::links(self.conn, room, id)
        }
        fn content(
            &self,
            room: RoomKey,
            id: ProposalId,
            revision: u32,
            ordinal: u32,
        ) -> Result<Option<ContentRow>> {
            proposals::content(self.conn, room, id, revision, ordinal)
        }
        fn document(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
            documents::at(self.conn, room, path)
        }
        fn above(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
            documents::above(self.conn, room, path)
        }
        fn below(
            &self,
            room: RoomKey,
            path: &DocPath,
            after: Option<&DocPath>,
            limit: u32,
        ) -> Result<Vec<DocumentRow>> {
            documents::below(self.conn, room, path, after, limit)
        }
        fn documents(&self, room: RoomKey, after: Option<&str>, limit: u32) -> Result<Vec<DocumentRow>> {
            documents::page(self.conn, room, after, limit)
        }
        fn departed(
            &self,
            room: RoomKey,
            path: &DocPath,
            before: Option<VersionKey>,
        ) -> Result<Option<VersionKey>> {
            documents::departed(self.conn, room, path, before)
        }
        fn version(&self, room: RoomKey, version: VersionKey) -> Result<Option<VersionRow>> {
            documents::version(self.conn, room, version)
        }
        fn entries(&self, room: RoomKey, after: u64, limit: u32) -> Result<Vec<EntryRow>> {
            ledger::entries(self.conn, room, after, limit)
        }
        fn effect(&self, room: RoomKey, key: &EffectKey) -> Result<Option<EffectWinner>> {
            fence::effect(self.conn, room, key)
        }
        fn naming_effect(&self, room: RoomKey, key: &EffectKey, but: ProposalId) -> Result<Vec<u64>> {
            proposals::naming_effect(self.conn, room, key, but)
        }
        fn reservation(&self, room: RoomKey, actor: ActorId, key: &str) -> Result<Option<Reservation>> {
            proposals::reservation(self.conn, room, actor, key)
        }
        fn similar(
            &self,
            room: RoomKey,
            fingerprint: &[u8; 32],
            but: Option<ProposalId>,
        ) -> Result<Vec<u64>> {
            proposals::similar(self.conn, room, fingerprint, but)
        }
        fn list(&self, room: RoomKey, query: ListQuery) -> Result<Vec<ListedRow>> {
            list::page(self.conn, room, query)
        }
        fn repeats(&self, room: RoomKey, before: Option<RepeatMark>, limit: u32) -> Result<Vec<RepeatRow>> {
            evidence::page(self.conn, room, before.as_ref(), limit)
        }
        fn repeat_of(
            &self,
            room: RoomKey,
            layer: Layer,
            source: [u8; 16],
            key: &[u8],
        ) -> Result<Option<RepeatRow>> {
            evidence::of(self.conn, room, layer, source, key)
        }
        fn comments(&self, room: RoomKey, id: ProposalId, after: u32, limit: u32) -> Result<Vec<CommentRow>> {
            comments::page(self.conn, room, id, after, limit)
        }
        fn talk(&self, room: RoomKey, id: ProposalId) -> Result<TalkRow> {
            comments::talk(self.conn, room, id)
        }
        fn comment_keyed(&self, room: RoomKey, author: ActorId, key: &str) -> Result<Option<FoundComment>> {
            comments::keyed(self.conn, room, author, key)
        }
        fn comment_by_id(&self, room: RoomKey, id: CommentId) -> Result<Option<FoundComment>> {
            comments::by_id(self.conn, room, id)
        }
        fn attempts(
            &self,
            room: RoomKey,
            layer: Layer,
            source: [u8; 16],
            key: &[u8],
        ) -> Result<Vec<AttemptRow>> {
            evidence::attempts(self.conn, room, layer, source, key)
        }
    };
}
pub(crate) use sekali_reads;

/// A word or path in a column that cannot be: the row was not written by Sekali.
pub(crate) fn strange(column: &'static str, value: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        0,
        rusqlite::types::Type::Text,
        format!("{column} holds {value:?}").into(),
    )
}

pub(crate) fn word<T: std::str::FromStr>(row: &Row<'_>, column: &'static str) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    text.parse().map_err(|_| strange(column, text))
}

pub(crate) fn path(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<DocPath> {
    let text = row.get_ref(column)?.as_str()?;
    DocPath::parse("path", text).map_err(|_| strange("path", text))
}

pub(crate) fn path_or_null(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Option<DocPath>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some(text) => DocPath::parse("path", text).map(Some).map_err(|_| strange("path", text)),
    }
}

pub(crate) fn mode(text: &str) -> rusqlite::Result<Mode> {
    Mode::parse("mode", text).map_err(|_| strange("mode", text))
}

pub(crate) fn time(row: &Row<'_>, column: &'static str) -> rusqlite::Result<Timestamp> {
    row.get(column).map(Timestamp::from_ms)
}

pub(crate) fn time_or_null(row: &Row<'_>, column: &'static str) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_ms))
}

/// Four columns that hold one side of a change, or NULL for `absent`.
pub(crate) fn side(row: &Row<'_>, columns: [impl RowIndex; 4]) -> rusqlite::Result<Option<Version>> {
    let [hash, mode_column, commitment, bytes] = columns;
    let Some(hash) = row.get::<_, Option<[u8; 32]>>(hash)? else {
        return Ok(None);
    };
    Ok(Some(Version {
        hash: ContentHash::from_bytes(hash),
        mode: mode(row.get_ref(mode_column)?.as_str()?)?,
        commitment: Commitment::from_bytes(row.get(commitment)?),
        bytes: row.get(bytes)?,
    }))
}
