-- Every form of change: what was submitted as a patch, what a revision was carried on from, and which
-- proposals have to do with each other.

-- P3: whoever looks at a rebased revision is told which one it came from. Never of another proposal.
ALTER TABLE revision ADD COLUMN rebased_from INTEGER
  CONSTRAINT rebased_from_is_earlier CHECK (rebased_from >= 1 AND rebased_from < revision);

-- Hunks of a patch that were found elsewhere than they say: twelve bytes each, which hunk of the
-- document's, the line that it names, the line at which it was found, as big-endian numbers.
ALTER TABLE change ADD COLUMN moved BLOB
  CONSTRAINT moved_is_whole CHECK (length(moved) > 0 AND length(moved) % 12 = 0);

-- What was submitted in another form than whole content, verbatim. Resolved once, at submit (P3): from
-- here nothing is ever applied. A rebase makes edits of JSON values again from it.
CREATE TABLE submitted (
  room     INTEGER NOT NULL,
  proposal BLOB    NOT NULL,
  revision INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  form     TEXT    NOT NULL CHECK (form IN ('patch', 'json_patch', 'merge_patch')),
  path     TEXT,             -- a patch names its documents itself
  strip    INTEGER,
  body     BLOB    NOT NULL,
  CONSTRAINT submitted_names_its_document CHECK ((path IS NULL) = (form = 'patch')),
  CONSTRAINT submitted_strips_a_patch CHECK (strip IS NULL OR (form = 'patch' AND strip >= 0)),
  PRIMARY KEY (room, proposal, revision, ordinal),
  FOREIGN KEY (room, proposal, revision) REFERENCES revision (room, proposal, revision)
) STRICT;

-- A proposal takes back what another did, or was split from it. Written with the proposal, never after.
CREATE TABLE link (
  room     INTEGER NOT NULL,
  proposal BLOB    NOT NULL,
  kind     TEXT    NOT NULL CHECK (kind IN ('reverts', 'split_from')),
  other    BLOB    NOT NULL,
  CONSTRAINT link_to_another CHECK (proposal <> other),
  PRIMARY KEY (room, proposal, kind, other),
  FOREIGN KEY (room, proposal) REFERENCES proposal (room, id),
  FOREIGN KEY (room, other) REFERENCES proposal (room, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_by_other ON link (room, other, kind, proposal);
