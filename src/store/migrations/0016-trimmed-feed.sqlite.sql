-- Of the events up to this place only the creation and the last state of each thing are left. No row: none is missing.
CREATE TABLE trimmed_feed (upto INTEGER NOT NULL) STRICT;
CREATE TABLE trimmed_histories (subject TEXT PRIMARY KEY NOT NULL, events INTEGER NOT NULL) STRICT;
-- Searches of text find rows by their rowid.
CREATE VIEW feed AS SELECT *, sequence AS rowid FROM events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
