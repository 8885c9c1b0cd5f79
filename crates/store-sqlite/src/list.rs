//! Pages of proposals, newest first, by keyset. Each state is the primary key of one table, so no
//! state needs an index that Apply would have to keep up to date.

use std::collections::HashSet;

use rusqlite::{Connection, Row, params};
use sekali_core::hash::Digest;
use sekali_core::{ActorId, ProposalId, State};
use sekali_store::{ActorRow, ListQuery, ListedRow, RoomKey, Touches};

use crate::actors::role_or_null;
use crate::documents;
use crate::error::Doing as _;
use crate::reader::{Result, time, word};

/// Which proposals are meant: `m` has room, proposal, revision, state and end.
fn members(state: Option<State>) -> &'static str {
    match state {
        Some(State::Waiting) => {
            "SELECT room, proposal, revision, 'waiting' AS state, valid_until AS ends FROM open
             WHERE valid_until IS NULL OR ?3 IS NULL OR valid_until > ?3"
        }
        Some(State::Expired) => {
            "SELECT room, proposal, revision, 'waiting' AS state, valid_until AS ends FROM open
             WHERE valid_until IS NOT NULL AND ?3 IS NOT NULL AND valid_until <= ?3"
        }
        Some(State::Applied) => {
            "SELECT room, proposal, revision, 'applied' AS state, NULL AS ends FROM applied"
        }
        Some(State::Rejected) => {
            "SELECT room, proposal, revision, state, NULL AS ends FROM closed WHERE state = 'rejected'"
        }
        Some(State::Withdrawn) => {
            "SELECT room, proposal, revision, state, NULL AS ends FROM closed WHERE state = 'withdrawn'"
        }
        None => {
            // Every proposal is in exactly one of the three; the list walks `proposal` and looks up.
            "SELECT p.room, p.id AS proposal, coalesce(o.revision, a.revision, c.revision) AS revision,
                    CASE WHEN o.revision IS NOT NULL THEN 'waiting' WHEN a.revision IS NOT NULL THEN 'applied'
                         ELSE c.state END AS state, o.valid_until AS ends
             FROM proposal p
             LEFT JOIN open o ON o.room = p.room AND o.proposal = p.id
             LEFT JOIN applied a ON a.room = p.room AND a.proposal = p.id
             LEFT JOIN closed c ON c.room = p.room AND c.proposal = p.id"
        }
    }
}

/// What stands in the way of the documents that a revision brings: at their paths and below them. What
/// stands above them is looked for afterwards. CROSS JOIN keeps the changes outside: without statistics SQLite may walk all
/// documents instead.
const OCCUPIED: &str = "
    SELECT d.path_key AS key FROM change c CROSS JOIN document d ON d.room = c.room AND d.path_key = c.path_key
    WHERE c.room = m.room AND c.proposal = m.proposal AND c.revision = m.revision AND c.op IN ('create', 'rename')
    UNION ALL
    SELECT d.path_key FROM change c
    CROSS JOIN document d ON d.room = c.room AND d.path_key > c.path_key || '/' AND d.path_key < c.path_key || '0'
    WHERE c.room = m.room AND c.proposal = m.proposal AND c.revision = m.revision AND c.op IN ('create', 'rename')";

/// The places that a revision empties itself. Taken from those above as a set: a look at all of them
/// for each would take a hundred million steps for ten thousand changes.
const EMPTIED: &str = "
    SELECT coalesce(t.from_key, t.path_key) AS key FROM change t
    WHERE t.room = m.room AND t.proposal = m.proposal AND t.revision = m.revision AND t.op IN ('rename', 'delete')";

fn statement(state: Option<State>) -> String {
    format!(
        "SELECT m.proposal, m.revision, m.state, m.ends, p.number, p.created_at, r.title, r.digest, r.added, r.removed,
                r.documents, who.id AS author, who.kind, who.name, who.role, who.added_at,
                m.state = 'waiting' AND (EXISTS (
                  SELECT 1 FROM change c LEFT JOIN document d
                    ON d.room = c.room AND d.path_key = coalesce(c.from_key, c.path_key)
                  WHERE c.room = m.room AND c.proposal = m.proposal AND c.revision = m.revision
                    AND c.op <> 'create' AND (d.hash IS NOT c.base_hash OR d.mode IS NOT c.base_mode
                      OR d.path IS NOT coalesce(c.from_path, c.path))
                ) OR EXISTS ({OCCUPIED} EXCEPT {EMPTIED})) AS stale
         FROM ({}) m
         JOIN proposal p ON p.room = m.room AND p.id = m.proposal
         JOIN revision r ON r.room = m.room AND r.proposal = m.proposal AND r.revision = m.revision
         JOIN actor who ON who.room = m.room AND who.id = p.author
         WHERE m.room = ?1 AND m.proposal < ?2
         ORDER BY m.proposal DESC LIMIT ?4",
        members(state)
    )
}

pub(crate) fn page(conn: &Connection, room: RoomKey, query: ListQuery) -> Result<Vec<ListedRow>> {
    // No id is above this one.
    let before = query.before.map_or([0xFF; 16], |id| *id.as_bytes());
    let now = query.now.map(sekali_core::Timestamp::ms);
    let mut rows: Vec<ListedRow> = conn
        .prepare_cached(&statement(query.state))
        .and_then(|mut s| {
            s.query_map(params![room.0, before, now, query.limit], |row| listed(row, now))?.collect()
        })
        .doing("list the proposals")?;
    for row in &mut rows {
        if row.state == State::Waiting && !row.stale {
            row.stale = needs_a_folder_that_is_a_document(conn, room, row)?;
        }
    }
    Ok(rows)
}

/// Whether a document stands where one that the revision brings needs a folder. Seeks by the keys of
/// the changes: a statement would have to take each path apart.
fn needs_a_folder_that_is_a_document(conn: &Connection, room: RoomKey, listed: &ListedRow) -> Result<bool> {
    const DOING: &str = "look for documents above";
    let of = (room.0, listed.id.as_bytes(), listed.revision);
    let mut brought = conn
        .prepare_cached(
            "SELECT path_key FROM change WHERE room = ?1 AND proposal = ?2 AND revision = ?3
             AND op IN ('create', 'rename') AND instr(path_key, '/')",
        )
        .doing(DOING)?;
    let mut brought = brought.query(of).doing(DOING)?;
    let mut emptied: Option<HashSet<String>> = None;
    while let Some(row) = brought.next().doing(DOING)? {
        let key = row.get_ref(0).and_then(|value| Ok(value.as_str()?)).doing(DOING)?;
        let Some(length) = documents::depth_of_document_above(conn, room, key)? else { continue };
        let emptied = match &emptied {
            Some(emptied) => emptied,
            None => emptied.insert(places_emptied(conn, of).doing(DOING)?),
        };
        if !emptied.contains(&key[..length]) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn places_emptied(conn: &Connection, of: (i64, &[u8; 16], u32)) -> rusqlite::Result<HashSet<String>> {
    let sql = EMPTIED.replace("m.room", "?1").replace("m.proposal", "?2").replace("m.revision", "?3");
    conn.prepare_cached(&sql)?.query_map(of, |row| row.get(0))?.collect()
}

fn listed(row: &Row<'_>, now: Option<i64>) -> rusqlite::Result<ListedRow> {
    let state: State = word(row, "state")?;
    let ends: Option<i64> = row.get("ends")?;
    let over = matches!((ends, now), (Some(end), Some(now)) if end <= now);
    let state = if state == State::Waiting && over { State::Expired } else { state };
    Ok(ListedRow {
        id: ProposalId::from_bytes(row.get("proposal")?),
        number: row.get("number")?,
        title: row.get("title")?,
        author: ActorRow {
            id: ActorId::from_bytes(row.get("author")?),
            kind: word(row, "kind")?,
            name: row.get("name")?,
            role: role_or_null(row, "role")?,
            added_at: time(row, "added_at")?,
        },
        created_at: time(row, "created_at")?,
        revision: row.get("revision")?,
        digest: Digest::from_bytes(row.get("digest")?),
        touches: Touches {
            added: row.get("added")?,
            removed: row.get("removed")?,
            documents: row.get("documents")?,
        },
        state,
        stale: state == State::Waiting && row.get("stale")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a proposal changes, each of its changes is looked at once: a list once took eighteen
    /// seconds for two proposals of ten thousand changes.
    #[test]
    fn staleness_takes_a_look_at_each_change_and_no_more() {
        let conn = Connection::open_in_memory().unwrap();
        crate::migrate::migrate(&conn, 0).unwrap();
        for state in [None, Some(State::Waiting)] {
            let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {}", statement(state))).unwrap();
            let steps: Vec<String> = plan
                .query_map((1, [0xFF; 16], None::<i64>, 50), |row| row.get(3))
                .unwrap()
                .collect::<rusqlite::Result<_>>()
                .unwrap();
            // What is emptied stands once, in a set of its own, not in a loop over what is occupied.
            let emptied: Vec<usize> = (0..steps.len()).filter(|n| steps[*n].contains(" t ")).collect();
            let [at] = emptied[..] else { panic!("{steps:#?}") };
            assert!(["RIGHT", "EXCEPT USING TEMP B-TREE"].contains(&steps[at - 1].as_str()), "{steps:#?}");
            let documents: Vec<&String> = steps.iter().filter(|step| step.contains(" d ")).collect();
            assert_eq!(documents.len(), 3, "{steps:#?}");
            for step in documents {
                assert!(step.starts_with("SEARCH d USING PRIMARY KEY (room=? AND path_key"), "{steps:#?}");
            }
        }
    }
}
