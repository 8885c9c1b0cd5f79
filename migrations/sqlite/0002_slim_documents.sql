-- What a document's last write replaced is read beside that write now; the row no longer carries it.

ALTER TABLE document DROP COLUMN before_seq;
ALTER TABLE document DROP COLUMN before_ordinal;
ALTER TABLE document DROP COLUMN before_commitment;
