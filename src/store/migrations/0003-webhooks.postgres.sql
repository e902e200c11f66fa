CREATE TABLE credentials (
  name text COLLATE "C" PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('user', 'key')),
  role text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  created_at text COLLATE "C" NOT NULL
);

-- cursor: the sequence up to which deliveries were made.
CREATE TABLE webhooks (
  id text COLLATE "C" PRIMARY KEY,
  url text COLLATE "C" NOT NULL,
  types text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  ended_at text COLLATE "C",
  ended_because text COLLATE "C",
  secret text COLLATE "C" NOT NULL,
  previous_secret text COLLATE "C",
  previous_secret_until text COLLATE "C",
  cursor text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL
);
CREATE TABLE removed_webhooks (id text COLLATE "C" PRIMARY KEY);

-- next_try_at is null while an earlier delivery of the same deal is pending.
CREATE TABLE deliveries (
  webhook_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  sequence text COLLATE "C" NOT NULL,
  deal_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  failures bigint NOT NULL,
  next_try_at text COLLATE "C",
  claimed_until text COLLATE "C",
  claimed_by text COLLATE "C",
  last_try_at text COLLATE "C",
  response_status bigint,
  duration bigint,
  answer text COLLATE "C",
  error text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  finished_at text COLLATE "C",
  PRIMARY KEY (webhook_id, number)
);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_try_at, number) WHERE status = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, deal_id, number) WHERE status = 'pending';
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;
