CREATE TABLE targets (
  id TEXT PRIMARY KEY NOT NULL,
  user_name TEXT NOT NULL,
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  amount_thousandths INTEGER NOT NULL,
  currency TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT
) STRICT;
CREATE INDEX targets_from ON targets (from_day);
CREATE INDEX targets_user ON targets (user_name);
CREATE INDEX events_target_deleted ON events (subject) WHERE type = 'target.deleted';
