-- The code by which the first admin is made, one for all instances.
CREATE TABLE set_up_code (
  one bigint PRIMARY KEY CHECK (one = 1),
  hash text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C" NOT NULL,
  tries bigint NOT NULL
);
