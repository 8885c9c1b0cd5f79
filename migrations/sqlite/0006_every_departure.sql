-- Every document that left a path is remembered, not only the last: the history of each can be found by the
-- path that it had, however many have stood there since.

CREATE TABLE departed_each (
  room     INTEGER NOT NULL,
  path_key TEXT    NOT NULL,
  seq      INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  PRIMARY KEY (room, path_key, seq, ordinal)
) STRICT, WITHOUT ROWID;

INSERT INTO departed_each (room, path_key, seq, ordinal)
  SELECT v.room, coalesce(c.from_key, c.path_key), v.seq, v.ordinal
  FROM version v
  JOIN change c ON c.room = v.room AND c.proposal = v.proposal AND c.revision = v.revision
               AND c.ordinal = v.ordinal
  WHERE c.op IN ('rename', 'delete')
  ORDER BY 1, 2, 3, 4;
DROP TABLE departed;
ALTER TABLE departed_each RENAME TO departed;
