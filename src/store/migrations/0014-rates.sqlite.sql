CREATE TABLE rates (
  id TEXT PRIMARY KEY NOT NULL,
  currency TEXT NOT NULL,
  per_unit_e8 INTEGER NOT NULL,
  since TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT
) STRICT;
CREATE INDEX rates_since ON rates (since, id);
CREATE INDEX rates_currency ON rates (currency, id);
CREATE INDEX events_rate_deleted ON events (subject) WHERE type = 'rate.deleted';
