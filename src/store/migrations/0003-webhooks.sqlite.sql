CREATE TABLE webhooks (
  id TEXT PRIMARY KEY NOT NULL,
  url TEXT NOT NULL,
  types TEXT,
  status TEXT NOT NULL,
  ended_at TEXT,
  ended_because TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TEXT,
  cursor INTEGER NOT NULL,
  last_number INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE TABLE removed_webhooks (id TEXT PRIMARY KEY NOT NULL) STRICT;

-- next_try_at is null while an earlier delivery of the same deal is pending.
CREATE TABLE deliveries (
  webhook_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  deal_id TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  next_try_at TEXT,
  claimed_until TEXT,
  claimed_by TEXT,
  last_try_at TEXT,
  response_status INTEGER,
  duration INTEGER,
  answer TEXT,
  error TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT,
  PRIMARY KEY (webhook_id, number)
) STRICT;
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_try_at) WHERE status = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, deal_id, number) WHERE status = 'pending';
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;
