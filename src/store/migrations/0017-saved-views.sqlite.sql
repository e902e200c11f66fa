-- What an event or a command tells of a private thing is for one user.
ALTER TABLE events ADD COLUMN private_to TEXT;
ALTER TABLE commands ADD COLUMN private_to TEXT;
CREATE TABLE views (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  collection TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL,
  owner TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT
) STRICT;
CREATE INDEX views_name ON views (name, id);
CREATE INDEX views_owner ON views (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX events_view_deleted ON events (subject) WHERE type = 'view.deleted';
