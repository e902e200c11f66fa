-- Files that people have uploaded to import them.
CREATE TABLE imports (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  stage text COLLATE "C" NOT NULL,
  matching text COLLATE "C",
  upto bigint NOT NULL,
  position bigint NOT NULL,
  inserted bigint NOT NULL,
  updated bigint NOT NULL,
  unchanged bigint NOT NULL,
  rejected bigint NOT NULL,
  fault text COLLATE "C",
  claimed_by text COLLATE "C",
  claimed_until text COLLATE "C"
);
CREATE TABLE import_pieces (
  import_id text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  content text COLLATE "C" NOT NULL,
  PRIMARY KEY (import_id, part, number)
);
