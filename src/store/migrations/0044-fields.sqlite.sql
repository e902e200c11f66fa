-- Fields that admins add. The schema is made of them; its version is in a row that comes with the first change.
CREATE TABLE fields (
  id TEXT PRIMARY KEY NOT NULL,
  on_ TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  titles TEXT NOT NULL,
  kind TEXT NOT NULL,
  options TEXT NOT NULL,
  required INTEGER NOT NULL,
  unique_ INTEGER NOT NULL,
  indexed_ INTEGER NOT NULL,
  searched INTEGER NOT NULL,
  help TEXT,
  retired_at TEXT,
  state TEXT NOT NULL,
  repeats TEXT,
  replace_by TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT
) STRICT;
CREATE TABLE model (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;
