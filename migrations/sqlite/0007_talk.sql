-- What is said about a proposal: numbered within it, never changed, no part of its digest or the ledger.

CREATE TABLE comment (
  room     INTEGER NOT NULL,
  proposal BLOB    NOT NULL,
  number   INTEGER NOT NULL CHECK (number >= 1),
  id       BLOB    NOT NULL CHECK (length(id) = 16),
  kind     TEXT    NOT NULL CHECK (kind IN ('comment', 'ask', 'answer')),
  answers  INTEGER,
  author   BLOB    NOT NULL,
  door     TEXT    NOT NULL,
  at       INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- the one that was read
  path     TEXT,
  side     TEXT    CHECK (side IN ('before', 'after')),
  line     INTEGER CHECK (line >= 1),
  text     TEXT    NOT NULL,
  key         TEXT,
  fingerprint BLOB CHECK (length(fingerprint) = 32),
  PRIMARY KEY (room, proposal, number),
  -- P6: where it is not known whether one was written, it is looked for by its id.
  CONSTRAINT comment_id_once UNIQUE (room, id),
  -- P1 for what is said: under one key one comment, in the scope of room and author.
  CONSTRAINT comment_key_once UNIQUE (room, author, key),
  CONSTRAINT comment_answers_what_came_before CHECK ((kind = 'answer') = (answers IS NOT NULL) AND answers < number),
  CONSTRAINT comment_line_is_whole CHECK ((path IS NULL) = (side IS NULL) AND (path IS NULL) = (line IS NULL)),
  CONSTRAINT comment_key_has_its_fingerprint CHECK ((key IS NULL) = (fingerprint IS NULL)),
  FOREIGN KEY (room, proposal, revision) REFERENCES revision (room, proposal, revision),
  FOREIGN KEY (room, proposal, answers) REFERENCES comment (room, proposal, number),
  FOREIGN KEY (room, author) REFERENCES actor (room, id)
) STRICT;

-- What asks for changes and what answers, for lists: a talk may have ten thousand comments.
CREATE INDEX comment_that_asks ON comment (room, proposal, number) WHERE kind = 'ask';
CREATE INDEX comment_that_answers ON comment (room, proposal, answers) WHERE answers IS NOT NULL;
