CREATE TABLE errands (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  due_on text COLLATE "C",
  urgency bigint NOT NULL,
  deal_id text COLLATE "C" REFERENCES deals (id),
  finished boolean NOT NULL,
  finished_at text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE TABLE urgencies (
  id text COLLATE "C" PRIMARY KEY,
  errand_id text COLLATE "C" NOT NULL REFERENCES errands (id) ON DELETE CASCADE,
  revision bigint NOT NULL,
  urgency bigint NOT NULL,
  finished boolean NOT NULL,
  since text COLLATE "C" NOT NULL,
  until text COLLATE "C",
  seconds bigint
);
CREATE INDEX urgencies_errand ON urgencies (errand_id, id);
CREATE INDEX urgencies_since ON urgencies (since);
CREATE INDEX urgencies_until ON urgencies (until) WHERE until IS NOT NULL;
