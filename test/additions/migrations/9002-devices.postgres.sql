CREATE TABLE devices (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C",
  label text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  code text COLLATE "C" NOT NULL,
  doc text COLLATE "C" NOT NULL
);
