-- Rooms, actors, proposals, documents, the fence, the ledger and the evidence of repeats.
-- Every primary key starts with the room: the unit of isolation, export and deletion.
-- `room` is the store's own small key; the identity everywhere else is room.id.
-- Times are milliseconds since 1970 UTC; hashes are 32 bytes; ids are 16 bytes.
-- Tables are WITHOUT ROWID where their rows are small. Where a row may pass a quarter of a page
-- (revision, content, ledger, tile) they are not: in a WITHOUT ROWID tree each comparison with a
-- row that overflows reads all of it, be it 64 MiB.

CREATE TABLE store (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  id         BLOB    NOT NULL CHECK (length(id) = 16),
  public_key BLOB    NOT NULL CHECK (length(public_key) = 32),
  created_at INTEGER NOT NULL,
  -- Raised by the first group after a COMMIT whose outcome is unknown: only a later commit that
  -- succeeded makes an absence final (P6).
  anchor     INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE room (
  room       INTEGER PRIMARY KEY,
  id         BLOB    NOT NULL CHECK (length(id) = 16),
  slug       TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT room_id_once   UNIQUE (id),
  CONSTRAINT room_slug_once UNIQUE (slug)
) STRICT;

-- One row a room, written once per group. The frontier is the compact form of the ledger's tree.
CREATE TABLE head (
  room        INTEGER PRIMARY KEY REFERENCES room (room),
  size        INTEGER NOT NULL CHECK (size >= 0),
  frontier    BLOB    NOT NULL,
  prev        BLOB    NOT NULL CHECK (length(prev) = 32),
  last_at     INTEGER NOT NULL,
  change_seq  INTEGER NOT NULL,
  last_number INTEGER NOT NULL,
  open        INTEGER NOT NULL CHECK (open >= 0),
  applied     INTEGER NOT NULL CHECK (applied >= 0),
  rejected    INTEGER NOT NULL CHECK (rejected >= 0),
  withdrawn   INTEGER NOT NULL CHECK (withdrawn >= 0)
) STRICT;

CREATE TABLE actor (
  room     INTEGER NOT NULL REFERENCES room (room),
  id       BLOB    NOT NULL CHECK (length(id) = 16),
  kind     TEXT    NOT NULL CHECK (kind IN ('person', 'agent', 'source', 'system')),
  name     TEXT    NOT NULL,
  role     TEXT    CHECK (role IN ('member', 'reviewer', 'maintainer')),
  added_at INTEGER NOT NULL,
  PRIMARY KEY (room, id),
  CONSTRAINT actor_name_once UNIQUE (room, kind, name),
  CONSTRAINT only_people_have_roles CHECK (role IS NULL OR kind = 'person')
) STRICT, WITHOUT ROWID;

CREATE TABLE proposal (
  room        INTEGER NOT NULL REFERENCES room (room),
  id          BLOB    NOT NULL CHECK (length(id) = 16),
  number      INTEGER NOT NULL CHECK (number >= 1),
  author      BLOB    NOT NULL,
  door        TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  correlation TEXT,
  PRIMARY KEY (room, id),
  CONSTRAINT proposal_number_once UNIQUE (room, number),
  FOREIGN KEY (room, author) REFERENCES actor (room, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE revision (
  room        INTEGER NOT NULL,
  proposal    BLOB    NOT NULL,
  revision    INTEGER NOT NULL CHECK (revision >= 1),
  digest      BLOB    NOT NULL CHECK (length(digest) = 32),
  title       TEXT    NOT NULL,
  why         TEXT    NOT NULL,
  author      BLOB    NOT NULL,
  valid_until INTEGER,
  created_at  INTEGER NOT NULL,
  added       INTEGER NOT NULL,
  removed     INTEGER NOT NULL,
  documents   INTEGER NOT NULL,
  content_fingerprint BLOB NOT NULL CHECK (length(content_fingerprint) = 32),
  canonical   BLOB    NOT NULL, -- the bytes under the digest, never rewritten
  PRIMARY KEY (room, proposal, revision),
  FOREIGN KEY (room, proposal) REFERENCES proposal (room, id),
  FOREIGN KEY (room, author) REFERENCES actor (room, id)
) STRICT;

-- Equal changes are flagged, not stopped (P5). Written at submit only.
CREATE INDEX revision_by_content ON revision (room, content_fingerprint, proposal);

CREATE TABLE effect_key (
  room       INTEGER NOT NULL,
  proposal   BLOB    NOT NULL,
  revision   INTEGER NOT NULL,
  ordinal    INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0 CHECK (generation >= 0),
  PRIMARY KEY (room, proposal, revision, ordinal),
  FOREIGN KEY (room, proposal, revision) REFERENCES revision (room, proposal, revision)
) STRICT, WITHOUT ROWID;

CREATE INDEX effect_key_by_key ON effect_key (room, key, generation, proposal);

-- One net change a row. Bare content hashes live here and in `document` only; they are compared,
-- never exported and never hashed further.
CREATE TABLE change (
  room      INTEGER NOT NULL,
  proposal  BLOB    NOT NULL,
  revision  INTEGER NOT NULL,
  ordinal   INTEGER NOT NULL,
  op        TEXT    NOT NULL CHECK (op IN ('create', 'replace', 'rename', 'delete')),
  path      TEXT    NOT NULL,
  path_key  TEXT    NOT NULL,
  from_path TEXT,
  from_key  TEXT,
  base_hash       BLOB,    -- NULL is `absent`: an explicit value, never a skipped check
  base_mode       TEXT,
  base_commitment BLOB,
  base_bytes      INTEGER,
  after_hash       BLOB,   -- NULL is `absent`
  after_mode       TEXT,
  after_commitment BLOB,
  after_bytes      INTEGER,
  added     INTEGER NOT NULL,
  removed   INTEGER NOT NULL,
  binary    INTEGER NOT NULL,
  submitted_base TEXT,     -- verbatim, where the submission carried one
  PRIMARY KEY (room, proposal, revision, ordinal),
  FOREIGN KEY (room, proposal, revision) REFERENCES revision (room, proposal, revision)
) STRICT, WITHOUT ROWID;

-- Content and salt live and are erased together; the commitment in the ledger stays.
CREATE TABLE content (
  room       INTEGER NOT NULL,
  proposal   BLOB    NOT NULL,
  revision   INTEGER NOT NULL,
  ordinal    INTEGER NOT NULL,
  salt       BLOB    NOT NULL CHECK (length(salt) = 32),
  commitment BLOB    NOT NULL CHECK (length(commitment) = 32),
  content    BLOB    NOT NULL,
  PRIMARY KEY (room, proposal, revision, ordinal),
  FOREIGN KEY (room, proposal, revision, ordinal) REFERENCES change (room, proposal, revision, ordinal)
) STRICT;

-- P5: the same idempotency key is the same submission, in the scope of room and actor, for ever.
CREATE TABLE submit_key (
  room        INTEGER NOT NULL,
  actor       BLOB    NOT NULL,
  key         TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
  proposal    BLOB    NOT NULL,
  CONSTRAINT submit_key_once PRIMARY KEY (room, actor, key),
  FOREIGN KEY (room, proposal) REFERENCES proposal (room, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

-- Exactly one of open, applied and closed holds a row for each proposal. Every transition takes
-- the open row by compare-and-swap on its digest, so two of them never both win (P1, P3).
CREATE TABLE open (
  room        INTEGER NOT NULL,
  proposal    BLOB    NOT NULL,
  revision    INTEGER NOT NULL,
  digest      BLOB    NOT NULL,
  valid_until INTEGER,
  PRIMARY KEY (room, proposal)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_by_end ON open (room, valid_until, proposal) WHERE valid_until IS NOT NULL;

-- P1: the fence. Inserted first in the transaction that makes the change; never deleted.
CREATE TABLE applied (
  room     INTEGER NOT NULL,
  proposal BLOB    NOT NULL,
  seq      INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  digest   BLOB    NOT NULL,
  at       INTEGER NOT NULL,
  actor    BLOB    NOT NULL,
  door     TEXT    NOT NULL,
  os_user  BLOB,
  seen     TEXT    NOT NULL CHECK (seen IN ('digest', 'none')),
  CONSTRAINT applied_once PRIMARY KEY (room, proposal),
  FOREIGN KEY (room, proposal) REFERENCES proposal (room, id)
) STRICT, WITHOUT ROWID;

-- P1 for what a proposal does: an effect happens once per generation, whichever proposal asks.
CREATE TABLE applied_effect (
  room       INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  generation INTEGER NOT NULL,
  proposal   BLOB    NOT NULL,
  CONSTRAINT applied_effect_once PRIMARY KEY (room, key, generation),
  FOREIGN KEY (room, proposal) REFERENCES applied (room, proposal)
) STRICT, WITHOUT ROWID;

CREATE TABLE closed (
  room     INTEGER NOT NULL,
  proposal BLOB    NOT NULL,
  state    TEXT    NOT NULL CHECK (state IN ('rejected', 'withdrawn')),
  revision INTEGER NOT NULL,
  digest   BLOB    NOT NULL,
  at       INTEGER NOT NULL,
  actor    BLOB    NOT NULL,
  reason   TEXT,
  seq      INTEGER NOT NULL,
  PRIMARY KEY (room, proposal),
  FOREIGN KEY (room, proposal) REFERENCES proposal (room, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX closed_by_state ON closed (room, state, proposal);

-- P3: a document is written only where it is what the change was based on. Unique under NFC and
-- case folding (path_key). `before_*` hold what the last write replaced, so that the write itself
-- can say it.
CREATE TABLE document (
  room       INTEGER NOT NULL,
  path_key   TEXT    NOT NULL,
  path       TEXT    NOT NULL,
  seq        INTEGER NOT NULL,
  ordinal    INTEGER NOT NULL,
  hash       BLOB    NOT NULL,
  mode       TEXT    NOT NULL CHECK (mode IN ('100644', '100755')),
  commitment BLOB    NOT NULL,
  bytes      INTEGER NOT NULL,
  before_seq        INTEGER,
  before_ordinal    INTEGER,
  before_commitment BLOB,
  CONSTRAINT document_path_once PRIMARY KEY (room, path_key)
) STRICT, WITHOUT ROWID;

-- Where a document that went was last seen, so that its history can still be found by its path.
CREATE TABLE departed (
  room     INTEGER NOT NULL,
  path_key TEXT    NOT NULL,
  seq      INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  CONSTRAINT departed_path_once PRIMARY KEY (room, path_key)
) STRICT, WITHOUT ROWID;

-- Append-only, in the order of the ledger. Content is where its proposal put it.
CREATE TABLE version (
  room      INTEGER NOT NULL,
  seq       INTEGER NOT NULL,
  ordinal   INTEGER NOT NULL,
  op        TEXT    NOT NULL,
  path      TEXT    NOT NULL,
  from_path TEXT,
  proposal  BLOB    NOT NULL,
  revision  INTEGER NOT NULL,
  hash       BLOB,
  mode       TEXT,
  commitment BLOB,
  bytes      INTEGER,
  previous_seq     INTEGER,
  previous_ordinal INTEGER,
  PRIMARY KEY (room, seq, ordinal)
) STRICT, WITHOUT ROWID;

-- P7: append-only; the stored bytes are the hashed bytes and are never rewritten, by a migration
-- either.
CREATE TABLE ledger (
  room  INTEGER NOT NULL,
  seq   INTEGER NOT NULL CHECK (seq >= 1),
  leaf  BLOB    NOT NULL,
  entry BLOB    NOT NULL,
  CONSTRAINT ledger_seq_once PRIMARY KEY (room, seq)
) STRICT;

CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER applied_is_for_ever_update BEFORE UPDATE ON applied
BEGIN SELECT RAISE(ABORT, 'a claim is for ever'); END;
CREATE TRIGGER applied_is_for_ever_delete BEFORE DELETE ON applied
BEGIN SELECT RAISE(ABORT, 'a claim is for ever'); END;
CREATE TRIGGER applied_effect_is_for_ever_update BEFORE UPDATE ON applied_effect
BEGIN SELECT RAISE(ABORT, 'an effect is for ever'); END;
CREATE TRIGGER applied_effect_is_for_ever_delete BEFORE DELETE ON applied_effect
BEGIN SELECT RAISE(ABORT, 'an effect is for ever'); END;

-- Whole tiles of 256 hashes. Level 0 holds leaves; level n + 1 holds the roots of level-n tiles.
CREATE TABLE tile (
  room   INTEGER NOT NULL,
  level  INTEGER NOT NULL,
  number INTEGER NOT NULL,
  root   BLOB    NOT NULL CHECK (length(root) = 32),
  hashes BLOB    NOT NULL CHECK (length(hashes) = 8192),
  CONSTRAINT tile_once PRIMARY KEY (room, level, number)
) STRICT;

-- P4, P5: what was stopped, where, and how often.
CREATE TABLE evidence (
  room     INTEGER NOT NULL,
  layer    TEXT    NOT NULL CHECK (layer IN ('apply', 'key', 'effect')),
  source   BLOB    NOT NULL,
  key      BLOB    NOT NULL,
  proposal BLOB    NOT NULL,
  count         INTEGER NOT NULL,
  other_content INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  fingerprints BLOB NOT NULL, -- up to eight different ones, 32 bytes each
  CONSTRAINT evidence_once PRIMARY KEY (room, layer, source, key)
) STRICT, WITHOUT ROWID;

-- The first twenty and the last twenty attempts of each key.
CREATE TABLE attempt (
  room   INTEGER NOT NULL,
  layer  TEXT    NOT NULL,
  source BLOB    NOT NULL,
  key    BLOB    NOT NULL,
  slot   INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  actor  BLOB    NOT NULL,
  door   TEXT    NOT NULL,
  os_user     BLOB,
  fingerprint BLOB,
  CONSTRAINT attempt_slot_once PRIMARY KEY (room, layer, source, key, slot)
) STRICT, WITHOUT ROWID;

-- How many repeats an hour, for the plot over time.
CREATE TABLE evidence_hour (
  room   INTEGER NOT NULL,
  layer  TEXT    NOT NULL,
  source BLOB    NOT NULL,
  hour   INTEGER NOT NULL, -- hours since 1970 UTC
  count  INTEGER NOT NULL,
  CONSTRAINT evidence_hour_once PRIMARY KEY (room, layer, source, hour)
) STRICT, WITHOUT ROWID;
