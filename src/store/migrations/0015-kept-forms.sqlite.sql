CREATE TABLE kept_forms (
  hash TEXT PRIMARY KEY NOT NULL,
  address TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  sealed TEXT NOT NULL
) STRICT;
