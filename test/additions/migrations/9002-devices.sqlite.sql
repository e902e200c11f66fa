CREATE TABLE devices (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT,
  label TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  code TEXT NOT NULL,
  doc TEXT NOT NULL
) STRICT;
