-- The ledger in one tree and a version as what it adds: fewer pages in every commit.

-- The key is the room's above the number in the room, so that an entry is found, and appended, in the
-- table's own tree. 40 bits hold a million million entries a room. The hashed bytes stay as they are.
CREATE TABLE ledger_by_id (
  id    INTEGER PRIMARY KEY CHECK (id > 0),
  leaf  BLOB    NOT NULL,
  entry BLOB    NOT NULL,
  room  INTEGER NOT NULL GENERATED ALWAYS AS (id >> 40) VIRTUAL,
  seq   INTEGER NOT NULL GENERATED ALWAYS AS (id & 1099511627775) VIRTUAL CHECK (seq >= 1)
) STRICT;

INSERT INTO ledger_by_id (id, leaf, entry)
  SELECT room << 40 | seq, leaf, entry FROM ledger ORDER BY room, seq;
DROP TABLE ledger;
ALTER TABLE ledger_by_id RENAME TO ledger;

CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- A version is the change of a revision, made by an entry. What it holds stands in the change.
CREATE TABLE version_of_change (
  room      INTEGER NOT NULL,
  seq       INTEGER NOT NULL,
  ordinal   INTEGER NOT NULL,
  proposal  BLOB    NOT NULL,
  revision  INTEGER NOT NULL,
  previous_seq     INTEGER,
  previous_ordinal INTEGER,
  PRIMARY KEY (room, seq, ordinal)
) STRICT, WITHOUT ROWID;

INSERT INTO version_of_change (room, seq, ordinal, proposal, revision, previous_seq, previous_ordinal)
  SELECT room, seq, ordinal, proposal, revision, previous_seq, previous_ordinal FROM version
  ORDER BY room, seq, ordinal;
DROP TABLE version;
ALTER TABLE version_of_change RENAME TO version;

CREATE VIEW history AS
  SELECT v.room, v.seq, v.ordinal, c.op, c.path, c.from_path, v.proposal, v.revision,
         c.after_hash AS hash, c.after_mode AS mode, c.after_commitment AS commitment, c.after_bytes AS bytes,
         v.previous_seq, v.previous_ordinal
  FROM version v
  JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
               AND c.ordinal = v.ordinal;
