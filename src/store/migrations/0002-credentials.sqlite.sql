-- PostgreSQL came later: there they came with the webhooks.
CREATE TABLE credentials (
  name TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('user', 'key')),
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT;
