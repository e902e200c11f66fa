CREATE TABLE rates (
  id text COLLATE "C" PRIMARY KEY,
  currency text COLLATE "C" NOT NULL,
  per_unit_e8 bigint NOT NULL,
  since text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE INDEX rates_since ON rates (since, id);
CREATE INDEX rates_currency ON rates (currency, id);
CREATE INDEX events_rate_deleted ON events (subject) WHERE type = 'rate.deleted';
