//! What `doctor` asks the tables: rows that contradict each other. Each question is one statement, so
//! it sees one snapshot, its answer is the rows that are wrong, and SQLite does the walking: memory
//! stays bounded however large the store is. What needs hashing content or entries is the engine's.

use rusqlite::{Connection, OptionalExtension as _};
use sekali_core::DocPath;
use sekali_core::code::Kind;
use sekali_core::tree::{TILE, root_of};
use sekali_store::RoomKey;

use crate::error::Doing as _;
use crate::ledger;
use crate::reader::Result;

/// A document that is a folder too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    /// The room's slug.
    pub room: String,
    /// The document.
    pub document: String,
    /// One for which it would have to be a folder.
    pub below: String,
}

/// Wrong rows that are told of each kind.
pub(crate) const SHOWN: usize = 100;

/// Codes, and statements that give room and sentence of each row that is wrong. A `+` before a room keeps
/// SQLite from walking the whole room for each row, for want of a better key: it makes an index of its own.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "room.head",
        "SELECT r.slug, 'the room has no head' FROM room r LEFT JOIN head h ON h.room = r.room WHERE h.room IS NULL",
    ),
    // Exactly one of three, so that every transition has one row to take (P1).
    (
        "proposal.state",
        "SELECT r.slug, format('#%d is in %d states at once, not in one', p.number,
                (o.proposal IS NOT NULL) + (a.proposal IS NOT NULL) + (c.proposal IS NOT NULL))
         FROM proposal p JOIN room r ON r.room = p.room
         LEFT JOIN open o ON o.room = p.room AND o.proposal = p.id
         LEFT JOIN applied a ON a.room = p.room AND a.proposal = p.id
         LEFT JOIN closed c ON c.room = p.room AND c.proposal = p.id
         WHERE (o.proposal IS NOT NULL) + (a.proposal IS NOT NULL) + (c.proposal IS NOT NULL) <> 1",
    ),
    (
        "proposal.missing",
        "SELECT coalesce(r.slug, '?'), format('a proposal waits that is not there (%s)', lower(hex(o.proposal)))
         FROM open o LEFT JOIN room r ON r.room = o.room
         WHERE NOT EXISTS (SELECT 1 FROM proposal p WHERE p.room = o.room AND p.id = o.proposal)",
    ),
    // P3: what is applied is the last revision, as it was seen.
    (
        "revision.latest",
        "SELECT r.slug, format('#%d is %s with a revision or digest that is not its latest', p.number, s.state)
         FROM (SELECT room, proposal, revision, digest, 'waiting' AS state FROM open
               UNION ALL SELECT room, proposal, revision, digest, 'applied' FROM applied
               UNION ALL SELECT room, proposal, revision, digest, state FROM closed) s
         JOIN proposal p ON p.room = s.room AND p.id = s.proposal
         JOIN room r ON r.room = s.room
         LEFT JOIN revision v ON v.room = s.room AND v.proposal = s.proposal AND v.revision = s.revision
         WHERE v.digest IS NOT s.digest
            OR EXISTS (SELECT 1 FROM revision n WHERE n.room = s.room AND n.proposal = s.proposal
                       AND n.revision > s.revision)",
    ),
    // What else is said of a proposal: which one it takes back or was split from, and what came before it.
    (
        "link.proposal",
        "SELECT coalesce(r.slug, '?'), format('a link (%s) is between two proposals of which one is not there (%s, %s)',
                l.kind, lower(hex(l.proposal)), lower(hex(l.other)))
         FROM link l LEFT JOIN room r ON r.room = l.room
         LEFT JOIN proposal p ON p.room = l.room AND p.id = l.proposal
         LEFT JOIN proposal o ON o.room = l.room AND o.id = l.other
         WHERE r.room IS NULL OR p.id IS NULL OR o.id IS NULL",
    ),
    (
        "link.order",
        "SELECT r.slug, format('#%d cannot have come of #%d (%s), which is not older', p.number, o.number, l.kind)
         FROM link l JOIN room r ON r.room = l.room
         JOIN proposal p ON p.room = l.room AND p.id = l.proposal
         JOIN proposal o ON o.room = l.room AND o.id = l.other WHERE p.number <= o.number",
    ),
    (
        "link.reverts",
        "SELECT r.slug, format('#%d takes back #%d, which was never applied', p.number, o.number)
         FROM link l JOIN room r ON r.room = l.room
         JOIN proposal p ON p.room = l.room AND p.id = l.proposal
         JOIN proposal o ON o.room = l.room AND o.id = l.other
         LEFT JOIN applied a ON a.room = l.room AND a.proposal = l.other
         WHERE l.kind = 'reverts' AND a.proposal IS NULL",
    ),
    (
        "submitted.revision",
        "SELECT coalesce(r.slug, '?'), format('what was submitted as %s is of no revision that is there', s.form)
         FROM submitted s LEFT JOIN room r ON r.room = s.room
         WHERE NOT EXISTS (SELECT 1 FROM revision v WHERE v.room = s.room AND v.proposal = s.proposal
                           AND v.revision = s.revision)",
    ),
    (
        "submitted.order",
        "SELECT r.slug, format('of what was submitted as revision %d of #%d there are %d parts up to the %d-th',
                s.revision, p.number, count(*), max(s.ordinal) + 1)
         FROM submitted s JOIN room r ON r.room = s.room
         JOIN proposal p ON p.room = s.room AND p.id = s.proposal
         GROUP BY s.room, s.proposal, s.revision HAVING min(s.ordinal) <> 0 OR max(s.ordinal) <> count(*) - 1",
    ),
    // What is said about a proposal: of a revision that is there, numbered without a gap, and an answer is to
    // what asks.
    (
        "comment.revision",
        "SELECT coalesce(r.slug, '?'), format('comment %d is on no revision that is there', c.number)
         FROM comment c LEFT JOIN room r ON r.room = c.room
         WHERE NOT EXISTS (SELECT 1 FROM revision v WHERE v.room = c.room AND v.proposal = c.proposal
                           AND v.revision = c.revision)",
    ),
    (
        "comment.author",
        "SELECT coalesce(r.slug, '?'), format('comment %d is of nobody who is there', c.number)
         FROM comment c LEFT JOIN room r ON r.room = c.room
         WHERE NOT EXISTS (SELECT 1 FROM actor a WHERE a.room = c.room AND a.id = c.author)",
    ),
    (
        "comment.order",
        "SELECT r.slug, format('on #%d there are %d comments up to the %d-th', p.number, count(*), max(c.number))
         FROM comment c JOIN room r ON r.room = c.room
         JOIN proposal p ON p.room = c.room AND p.id = c.proposal
         GROUP BY c.room, c.proposal HAVING min(c.number) <> 1 OR max(c.number) <> count(*)",
    ),
    (
        "comment.answers",
        "SELECT r.slug, format('comment %d on #%d answers %d, which does not ask for changes before it',
                c.number, p.number, c.answers)
         FROM comment c JOIN room r ON r.room = c.room
         JOIN proposal p ON p.room = c.room AND p.id = c.proposal
         LEFT JOIN comment a ON a.room = c.room AND a.proposal = c.proposal AND a.number = c.answers
         WHERE c.answers IS NOT NULL AND (a.kind IS NOT 'ask' OR a.number >= c.number)",
    ),
    (
        "revision.rebased_from",
        "SELECT r.slug, format('revision %d of #%d is carried on from revision %d, which is not there or not earlier',
                v.revision, p.number, v.rebased_from)
         FROM revision v JOIN proposal p ON p.room = v.room AND p.id = v.proposal JOIN room r ON r.room = v.room
         LEFT JOIN revision f ON f.room = v.room AND f.proposal = v.proposal AND f.revision = v.rebased_from
         WHERE v.rebased_from IS NOT NULL AND (f.revision IS NULL OR f.revision >= v.revision)",
    ),
    (
        "open.valid_until",
        "SELECT r.slug, format('#%d waits with another validity than its revision says', p.number)
         FROM open o JOIN proposal p ON p.room = o.room AND p.id = o.proposal JOIN room r ON r.room = o.room
         JOIN revision v ON v.room = o.room AND v.proposal = o.proposal AND v.revision = o.revision
         WHERE v.valid_until IS NOT o.valid_until",
    ),
    (
        "revision.touches",
        "SELECT r.slug, format('revision %d of #%d counts other changes than it has', v.revision, p.number)
         FROM revision v JOIN proposal p ON p.room = v.room AND p.id = v.proposal JOIN room r ON r.room = v.room
         WHERE (v.added, v.removed, v.documents) IS NOT
               (SELECT coalesce(sum(c.added), 0), coalesce(sum(c.removed), 0), count(*) FROM change c
                WHERE c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision)",
    ),
    (
        "change.base",
        "SELECT r.slug, format('#%d is based on a version of %s that is not in its history', p.number,
                coalesce(c.from_path, c.path))
         FROM change c JOIN proposal p ON p.room = c.room AND p.id = c.proposal JOIN room r ON r.room = c.room
         LEFT JOIN history v ON v.room = c.room AND v.commitment = c.base_commitment
         WHERE c.base_commitment IS NOT NULL
           AND (v.hash IS NOT c.base_hash OR v.mode IS NOT c.base_mode OR v.bytes IS NOT c.base_bytes)
           -- The rest of a split may be made on what the part before it would leave, applied or not.
           AND NOT EXISTS (
               WITH RECURSIVE whole(id) AS (
                   SELECT l.other FROM link l
                   WHERE l.room = c.room AND l.proposal = c.proposal AND l.kind = 'split_from'
                   UNION
                   SELECT l.other FROM whole w
                   CROSS JOIN link l ON l.room = c.room AND l.proposal = w.id AND l.kind = 'split_from')
               SELECT 1 FROM whole w
               CROSS JOIN change s ON s.room = c.room AND s.proposal = w.id AND s.after_commitment = c.base_commitment
               WHERE s.after_hash IS c.base_hash AND s.after_mode IS c.base_mode AND s.after_bytes IS c.base_bytes)",
    ),
    (
        "applied.effect",
        "SELECT r.slug, format('#%d is applied, but its effect %s is not kept as its own', p.number, e.key)
         FROM applied a JOIN proposal p ON p.room = a.room AND p.id = a.proposal JOIN room r ON r.room = a.room
         JOIN effect_key e ON e.room = a.room AND e.proposal = a.proposal AND e.revision = a.revision
         LEFT JOIN applied_effect f ON f.room = e.room AND f.key = e.key AND f.generation = e.generation
         WHERE f.proposal IS NOT e.proposal",
    ),
    (
        "applied.effect",
        "SELECT r.slug, format('the effect %s is kept for #%d, which does not have it', f.key, p.number)
         FROM applied_effect f JOIN proposal p ON p.room = f.room AND p.id = f.proposal
         JOIN room r ON r.room = f.room
         LEFT JOIN applied a ON a.room = f.room AND a.proposal = f.proposal
         WHERE NOT EXISTS (SELECT 1 FROM effect_key e WHERE e.room = f.room AND e.proposal = f.proposal
                           AND e.revision = a.revision AND e.key = f.key AND e.generation = f.generation)",
    ),
    (
        "version.change",
        "SELECT r.slug, format('version %d of entry %d is of no change that the entry applied', v.ordinal, v.seq)
         FROM version v JOIN room r ON r.room = v.room
         LEFT JOIN applied a ON a.room = v.room AND a.proposal = v.proposal AND a.seq = v.seq
                            AND a.revision = v.revision
         LEFT JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
                           AND c.ordinal = v.ordinal
         WHERE a.seq IS NULL OR c.op IS NULL",
    ),
    (
        "version.missing",
        "SELECT r.slug, format('#%d is applied, but the version of %s that it made is not there', p.number, c.path)
         FROM applied a JOIN room r ON r.room = a.room
         JOIN proposal p ON p.room = a.room AND p.id = a.proposal
         JOIN change c ON c.room = a.room AND c.proposal = a.proposal AND c.revision = a.revision
         LEFT JOIN version v ON v.room = a.room AND v.seq = a.seq AND v.ordinal = c.ordinal
         WHERE v.seq IS NULL",
    ),
    (
        "version.chain",
        "SELECT r.slug, format('the version of %s that entry %d made does not follow what it was based on',
                v.path, v.seq)
         FROM history v JOIN room r ON r.room = v.room
         LEFT JOIN history b ON b.room = v.room AND b.seq = v.previous_seq AND b.ordinal = v.previous_ordinal
         LEFT JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
                           AND c.ordinal = v.ordinal
         WHERE b.hash IS NOT c.base_hash OR b.mode IS NOT c.base_mode
            OR (b.seq IS NOT NULL AND b.path <> coalesce(c.from_path, c.path))",
    ),
    (
        "version.fork",
        "SELECT r.slug, format('the version that entry %d made is replaced %d times', v.previous_seq, count(*))
         FROM version v JOIN room r ON r.room = v.room WHERE v.previous_seq IS NOT NULL
         GROUP BY v.room, v.previous_seq, v.previous_ordinal HAVING count(*) > 1",
    ),
    (
        "document.version",
        "SELECT r.slug, format('the document %s is not what entry %d made it', d.path, d.seq)
         FROM document d JOIN room r ON r.room = d.room
         LEFT JOIN history v ON v.room = d.room AND v.seq = d.seq AND v.ordinal = d.ordinal
         LEFT JOIN version n ON +n.room = d.room AND n.previous_seq = d.seq AND n.previous_ordinal = d.ordinal
         WHERE v.op = 'delete' OR n.seq IS NOT NULL
            OR (d.path, d.hash, d.mode, d.commitment, d.bytes) IS NOT (v.path, v.hash, v.mode, v.commitment, v.bytes)",
    ),
    (
        "document.missing",
        "SELECT r.slug, format('the document %s is not there, though entry %d made it and none took it away',
                v.path, v.seq)
         FROM history v JOIN room r ON r.room = v.room
         LEFT JOIN version n ON +n.room = v.room AND n.previous_seq = v.seq AND n.previous_ordinal = v.ordinal
         LEFT JOIN document d ON +d.room = v.room AND d.seq = v.seq AND d.ordinal = v.ordinal
         WHERE v.op <> 'delete' AND n.seq IS NULL AND d.seq IS NULL",
    ),
    (
        "document.departed",
        "SELECT r.slug, format('where %s went is not remembered', coalesce(v.from_path, v.path))
         FROM history v JOIN room r ON r.room = v.room
         JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
                      AND c.ordinal = v.ordinal
         LEFT JOIN departed g ON g.room = v.room AND g.path_key = coalesce(c.from_key, c.path_key)
                             AND g.seq = v.seq AND g.ordinal = v.ordinal
         WHERE v.op IN ('delete', 'rename') AND g.seq IS NULL",
    ),
    (
        "document.departed",
        "SELECT r.slug, format('%s is remembered as gone by entry %d, which did not take it away', g.path_key, g.seq)
         FROM departed g JOIN room r ON r.room = g.room
         LEFT JOIN history v ON v.room = g.room AND v.seq = g.seq AND v.ordinal = g.ordinal
         LEFT JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
                           AND c.ordinal = v.ordinal
         WHERE v.op IS NULL OR v.op NOT IN ('delete', 'rename')
            OR coalesce(c.from_key, c.path_key) IS NOT g.path_key",
    ),
    (
        "ledger.missing",
        "SELECT r.slug, format('#%d is %s by entry %d, which is not there', p.number, s.state, s.seq)
         FROM (SELECT room, proposal, seq, 'applied' AS state FROM applied
               UNION ALL SELECT room, proposal, seq, state FROM closed) s
         JOIN proposal p ON p.room = s.room AND p.id = s.proposal JOIN room r ON r.room = s.room
         LEFT JOIN ledger l ON l.id = (s.room << 40 | s.seq) WHERE l.id IS NULL",
    ),
    (
        "ledger.beyond",
        "SELECT r.slug, format('the ledger holds %d entries, up to %d, but its head says %d', count(l.seq),
                coalesce(max(l.seq), 0), h.size)
         FROM head h JOIN room r ON r.room = h.room
         LEFT JOIN ledger l ON l.id > (h.room << 40) AND l.id < ((h.room + 1) << 40)
         GROUP BY h.room HAVING count(l.seq) <> h.size OR coalesce(max(l.seq), 0) <> h.size",
    ),
    (
        "head.counts",
        "SELECT r.slug, format('the head counts %d waiting, %d applied, %d rejected, %d withdrawn; there are %d, %d, %d, %d',
                h.open, h.applied, h.rejected, h.withdrawn, n.open, n.applied, n.rejected, n.withdrawn)
         FROM head h JOIN room r ON r.room = h.room
         JOIN (SELECT x.room AS room,
                 (SELECT count(*) FROM open o WHERE o.room = x.room) AS open,
                 (SELECT count(*) FROM applied a WHERE a.room = x.room) AS applied,
                 (SELECT count(*) FROM closed c WHERE c.room = x.room AND c.state = 'rejected') AS rejected,
                 (SELECT count(*) FROM closed c WHERE c.room = x.room AND c.state = 'withdrawn') AS withdrawn
               FROM room x) n ON n.room = h.room
         WHERE (h.open, h.applied, h.rejected, h.withdrawn) IS NOT (n.open, n.applied, n.rejected, n.withdrawn)",
    ),
    (
        "head.last_number",
        "SELECT r.slug, format('the last proposal is #%d of %d, but the head says #%d', coalesce(max(p.number), 0),
                count(p.number), h.last_number)
         FROM head h JOIN room r ON r.room = h.room LEFT JOIN proposal p ON p.room = h.room
         GROUP BY h.room HAVING coalesce(max(p.number), 0) <> h.last_number OR count(p.number) <> h.last_number",
    ),
    (
        "head.last_at",
        "SELECT r.slug, format('#%d was decided after the last moment that the head knows', p.number)
         FROM (SELECT room, proposal, at FROM applied UNION ALL SELECT room, proposal, at FROM closed) s
         JOIN head h ON h.room = s.room JOIN room r ON r.room = s.room
         JOIN proposal p ON p.room = s.room AND p.id = s.proposal WHERE s.at > h.last_at",
    ),
    // P4, P5: what was stopped is told as often as it was.
    (
        "evidence.attempts",
        "SELECT r.slug, format('the evidence of %d repeats (%s) keeps %d attempts up to the %d-th', e.count, e.layer,
                count(t.n), coalesce(max(t.n), 0))
         FROM evidence e JOIN room r ON r.room = e.room
         LEFT JOIN attempt t ON t.room = e.room AND t.layer = e.layer AND t.source = e.source AND t.key = e.key
         GROUP BY e.room, e.layer, e.source, e.key
         HAVING count(t.n) <> min(e.count, 40) OR coalesce(max(t.n), 0) <> e.count OR min(t.at) < e.first_at
             OR max(t.at) > e.last_at",
    ),
    (
        "evidence.attempts",
        "SELECT coalesce(r.slug, '?'), format('an attempt (%s) belongs to no evidence', t.layer)
         FROM attempt t LEFT JOIN room r ON r.room = t.room
         WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.room = t.room AND e.layer = t.layer
                           AND e.source = t.source AND e.key = t.key)",
    ),
    (
        "evidence.attempts",
        "SELECT r.slug, format('the %d-th attempt (%s) is kept in place %d, or by nobody who is known', t.n, t.layer, t.slot)
         FROM attempt t JOIN room r ON r.room = t.room
         LEFT JOIN actor w ON w.room = t.room AND w.id = t.actor
         WHERE w.id IS NULL OR t.slot <> CASE WHEN t.n <= 20 THEN t.n ELSE 21 + (t.n - 21) % 20 END",
    ),
    (
        "evidence.hours",
        "SELECT r.slug, format('%d repeats (%s) are in the evidence, %d in its hours', n.kept, n.layer, n.hours)
         FROM (SELECT room, layer, source, sum(kept) AS kept, sum(hours) AS hours FROM (
                 SELECT room, layer, source, count AS kept, 0 AS hours FROM evidence
                 UNION ALL SELECT room, layer, source, 0, count FROM evidence_hour)
               GROUP BY room, layer, source) n
         JOIN room r ON r.room = n.room WHERE n.kept <> n.hours",
    ),
    (
        "evidence.row",
        "SELECT r.slug, format('the evidence of %d repeats (%s) cannot be so', e.count, e.layer)
         FROM evidence e JOIN room r ON r.room = e.room
         WHERE e.count < 1 OR e.other_content < 0 OR e.other_content > e.count OR e.first_at > e.last_at
            OR length(e.fingerprints) % 32 <> 0 OR length(e.fingerprints) > 256
            OR NOT EXISTS (SELECT 1 FROM proposal p WHERE p.room = e.room AND p.id = e.proposal)",
    ),
    (
        "submit_key.author",
        "SELECT r.slug, format('the idempotency key %s is kept for #%d, which somebody else submitted', k.key, p.number)
         FROM submit_key k JOIN proposal p ON p.room = k.room AND p.id = k.proposal JOIN room r ON r.room = k.room
         WHERE p.author <> k.actor",
    ),
];

/// Everything that rows say of each other.
pub(crate) fn rows(conn: &Connection) -> Result<Vec<(&'static str, String)>> {
    let mut wrong = Vec::new();
    for (code, sql) in QUESTIONS {
        let found: Result<Vec<String>> = conn
            .prepare(sql)
            .and_then(|mut s| {
                s.query_map([], |row| Ok(sentence(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?)))?
                    .take(SHOWN)
                    .collect()
            })
            .doing("compare the tables");
        if let Some(found) = answered(code, found, &mut wrong)? {
            wrong.extend(found.into_iter().map(|what| (*code, what)));
        }
    }
    let paths = path_keys(conn, &mut wrong);
    answered("document.path_key", paths, &mut wrong)?;
    let tiles = tiles(conn, &mut wrong);
    answered("ledger.tile", tiles, &mut wrong)?;
    Ok(wrong)
}

/// Documents that are a folder too, told of each with one that is in it. Since stores refuse it, it is in
/// older ones alone: no damage, but such a room cannot stand in one folder of a file system.
pub(crate) fn both(conn: &Connection) -> Result<Vec<Both>> {
    // The keys of what is in a folder stand between its own with a slash, and the character after it.
    const BOTH: &str = "SELECT slug, path, below FROM (
           SELECT r.slug, d.path, (SELECT b.path FROM document b WHERE b.room = d.room
               AND b.path_key > d.path_key || '/' AND b.path_key < d.path_key || '0'
               ORDER BY b.path_key LIMIT 1) AS below
           FROM document d JOIN room r ON r.room = d.room ORDER BY d.room, d.path_key)
         WHERE below IS NOT NULL LIMIT ?1";
    conn.prepare(BOTH)
        .and_then(|mut s| {
            s.query_map([SHOWN], |row| {
                Ok(Both { room: row.get(0)?, document: row.get(1)?, below: row.get(2)? })
            })?
            .collect()
        })
        .doing("look for documents that are folders")
}

/// A question that the tables cannot be asked any more is answered: they are damaged. The others are
/// asked all the same.
fn answered<T>(
    code: &'static str,
    result: Result<T>,
    wrong: &mut Vec<(&'static str, String)>,
) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code.kind() == Kind::Corrupt => {
            let cause = error.source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
            wrong.push((code, format!("{}{cause}", error.detail)));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn sentence(room: &str, what: &str) -> String {
    format!("Room {room}: {what}.")
}

/// A path is found by its key: under another one, a second document could take its place.
fn path_keys(conn: &Connection, wrong: &mut Vec<(&'static str, String)>) -> Result<()> {
    const PATHS: [(&str, &str); 3] = [
        (
            "document.path_key",
            "SELECT r.slug, x.path, x.path_key FROM document x JOIN room r ON r.room = x.room",
        ),
        ("change.path_key", "SELECT r.slug, x.path, x.path_key FROM change x JOIN room r ON r.room = x.room"),
        (
            "change.path_key",
            "SELECT r.slug, x.from_path, x.from_key FROM change x JOIN room r ON r.room = x.room
             WHERE x.from_path IS NOT NULL OR x.from_key IS NOT NULL",
        ),
    ];
    for (code, sql) in PATHS {
        let mut statement = conn.prepare(sql).doing("compare the paths")?;
        let mut rows = statement.query([]).doing("compare the paths")?;
        let mut told = 0;
        while let Some(row) = rows.next().doing("compare the paths")? {
            let read =
                || -> rusqlite::Result<(Option<String>, Option<String>)> { Ok((row.get(1)?, row.get(2)?)) };
            let (path, key) = read().doing("compare the paths")?;
            let parsed = path.as_deref().and_then(|path| DocPath::parse("path", path).ok());
            if parsed.as_ref().map(DocPath::key) != key.as_deref() && told < SHOWN {
                let room: String = row.get(0).doing("compare the paths")?;
                let path = path.unwrap_or_default();
                wrong.push((
                    code,
                    sentence(&room, &format!("{path} is kept under a key that is not its own")),
                ));
                told += 1;
            }
        }
    }
    Ok(())
}

/// P7: each whole tile, level by level, is what the leaves or the tiles below make of it.
fn tiles(conn: &Connection, wrong: &mut Vec<(&'static str, String)>) -> Result<()> {
    let heads: Vec<(i64, String, u64)> = conn
        .prepare("SELECT h.room, r.slug, h.size FROM head h JOIN room r ON r.room = h.room")
        .and_then(|mut s| s.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect())
        .doing("read the heads")?;
    for (room, slug, size) in heads {
        let mut told = 0;
        let mut tell = |what: String| {
            told += 1;
            if told <= SHOWN {
                wrong.push(("ledger.tile", sentence(&slug, &what)));
            }
        };
        let mut whole = size / TILE;
        let mut level = 0u32;
        let mut expected = 0;
        while whole > 0 {
            for number in 0..whole {
                if !tile_is_sound(conn, room, level, number)? {
                    tell(format!("tile {number} of level {level} is missing or not what lies below it"));
                }
            }
            expected += whole;
            whole /= TILE;
            level += 1;
        }
        // Those of writers that went on meanwhile are not too many.
        let (tiles, size_now): (u64, u64) = conn
            .query_row(
                "SELECT (SELECT count(*) FROM tile WHERE room = ?1), size FROM head WHERE room = ?1",
                [room],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .doing("count the tiles")?;
        if size_now == size && tiles != expected {
            tell(format!("there are {tiles} tiles, where {expected} belong"));
        }
    }
    Ok(())
}

fn tile_is_sound(conn: &Connection, room: i64, level: u32, number: u64) -> Result<bool> {
    let first = number * TILE;
    let below: Vec<[u8; 32]> = if level == 0 {
        ledger::leaves(conn, RoomKey(room), first)
    } else {
        conn.prepare_cached(
            "SELECT root FROM tile WHERE room = ?1 AND level = ?2 AND number >= ?3 ORDER BY number LIMIT 256",
        )
        .and_then(|mut s| s.query_map((room, level - 1, first), |row| row.get(0))?.collect())
    }
    .doing("read the hashes of a tile")?;
    let kept: Option<([u8; 32], Vec<u8>)> = conn
        .prepare_cached("SELECT root, hashes FROM tile WHERE room = ?1 AND level = ?2 AND number = ?3")
        .and_then(|mut s| s.query_row((room, level, number), |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .doing("read a tile")?;
    Ok(kept.is_some_and(|(root, hashes)| {
        below.len() as u64 == TILE && hashes == below.concat() && root == root_of(&below)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sekali_store::{KEPT_ATTEMPTS, KEPT_FINGERPRINTS, StoreError};

    /// A room may hold all there is: no question walks through it once for each of its rows.
    #[test]
    fn no_question_walks_a_room_for_each_row() -> std::result::Result<(), StoreError> {
        let conn = Connection::open_in_memory().doing("open")?;
        crate::migrate::migrate(&conn, 0)?;
        // Of a head there is one in a room: what is asked of each may walk it.
        for (code, sql) in QUESTIONS.iter().filter(|(code, _)| !code.starts_with("head.")) {
            let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).doing("plan")?;
            let steps: Vec<String> =
                plan.query_map([], |row| row.get(3)).and_then(Iterator::collect).doing("plan")?;
            let walks = |step: &&String| step.ends_with("(room=?)") || step.ends_with("(room=?) LEFT-JOIN");
            let walked: Vec<_> = steps.iter().filter(walks).collect();
            assert!(walked.is_empty(), "{code}: {walked:?}");
        }
        Ok(())
    }

    /// The statements carry these figures as text.
    #[test]
    fn the_figures_are_those_of_the_store() -> std::result::Result<(), StoreError> {
        assert_eq!((KEPT_ATTEMPTS, KEPT_FINGERPRINTS * 32, TILE), (20, 256, 256));
        let conn = Connection::open_in_memory().doing("open")?;
        crate::migrate::migrate(&conn, 0)?;
        assert_eq!(rows(&conn)?, []);
        Ok(())
    }
}
