-- Teams, and roles; those that there were are rows too. decisions/0075
CREATE TABLE teams (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  parent TEXT,
  lead TEXT,
  members TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE TABLE roles (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  grants TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
INSERT INTO roles (id, name, title, grants, created_at, updated_at, revision, doc) VALUES
  ('00000000-0000-7000-8000-000000000011', 'reader', 'Reader', '[{"on":"deal","may":["read"]},{"on":"customer","may":["read"]},{"on":"task","may":["read"]},{"on":"target","may":["read"]},{"on":"view","may":["read"]}]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1,
    '{"id":"00000000-0000-7000-8000-000000000011","name":"reader","title":"Reader","grants":[{"on":"deal","may":["read"]},{"on":"customer","may":["read"]},{"on":"task","may":["read"]},{"on":"target","may":["read"]},{"on":"view","may":["read"]}],"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","revision":1}'),
  ('00000000-0000-7000-8000-000000000012', 'editor', 'Editor', '[{"on":"deal","may":["*"]},{"on":"customer","may":["read","create","change","add-note"]},{"on":"task","may":["*"]},{"on":"target","may":["read"]},{"on":"view","may":["*"]}]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1,
    '{"id":"00000000-0000-7000-8000-000000000012","name":"editor","title":"Editor","grants":[{"on":"deal","may":["*"]},{"on":"customer","may":["read","create","change","add-note"]},{"on":"task","may":["*"]},{"on":"target","may":["read"]},{"on":"view","may":["*"]}],"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","revision":1}'),
  ('00000000-0000-7000-8000-000000000013', 'admin', 'Admin', '[{"on":"deal","may":["*"]},{"on":"customer","may":["*"]},{"on":"task","may":["*"]},{"on":"rate","may":["*"]},{"on":"target","may":["*"]},{"on":"view","may":["*"]}]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1,
    '{"id":"00000000-0000-7000-8000-000000000013","name":"admin","title":"Admin","grants":[{"on":"deal","may":["*"]},{"on":"customer","may":["*"]},{"on":"task","may":["*"]},{"on":"rate","may":["*"]},{"on":"target","may":["*"]},{"on":"view","may":["*"]}],"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","revision":1}');
