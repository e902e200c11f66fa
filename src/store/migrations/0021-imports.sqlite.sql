-- Files that people have uploaded to import them.
CREATE TABLE imports (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  resource TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  size INTEGER NOT NULL,
  stage TEXT NOT NULL,
  matching TEXT,
  upto INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  fault TEXT,
  claimed_by TEXT,
  claimed_until TEXT
) STRICT;
CREATE TABLE import_pieces (
  import_id TEXT NOT NULL,
  part TEXT NOT NULL,
  number INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (import_id, part, number)
) STRICT;
