CREATE TABLE targets (
  id text COLLATE "C" PRIMARY KEY,
  user_name text COLLATE "C" NOT NULL,
  from_day text COLLATE "C" NOT NULL,
  to_day text COLLATE "C" NOT NULL,
  amount_thousandths bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE INDEX targets_from ON targets (from_day, id);
CREATE INDEX targets_user ON targets (user_name, id);
CREATE INDEX events_target_deleted ON events (subject) WHERE type = 'target.deleted';
