CREATE TABLE kept_forms (
  hash text COLLATE "C" PRIMARY KEY,
  address text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL
);
