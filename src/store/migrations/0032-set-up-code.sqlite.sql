-- The code by which the first admin is made, one for all instances.
CREATE TABLE set_up_code (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  tries INTEGER NOT NULL
) STRICT;
