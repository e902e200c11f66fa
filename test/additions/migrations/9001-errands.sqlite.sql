CREATE TABLE errands (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  due_on TEXT,
  urgency INTEGER NOT NULL,
  deal_id TEXT REFERENCES deals (id),
  finished INTEGER NOT NULL,
  finished_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT,
  last_event INTEGER
) STRICT;
CREATE TABLE urgencies (
  id TEXT PRIMARY KEY NOT NULL,
  errand_id TEXT NOT NULL REFERENCES errands (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  urgency INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  since TEXT NOT NULL,
  until TEXT,
  seconds INTEGER
) STRICT;
CREATE INDEX urgencies_errand ON urgencies (errand_id, id);
CREATE INDEX urgencies_since ON urgencies (since);
CREATE INDEX urgencies_until ON urgencies (until) WHERE until IS NOT NULL;
