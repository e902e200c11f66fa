-- Users and keys, which were credentials, are kept apart; they share one set of names, the actors of events.
CREATE TABLE actors (name text COLLATE "C" PRIMARY KEY);
CREATE TABLE users (
  name text COLLATE "C" PRIMARY KEY,
  full_name text COLLATE "C",
  email text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  locale text COLLATE "C",
  time_zone text COLLATE "C",
  disabled boolean NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  last_seen_at text COLLATE "C",
  previous_at text COLLATE "C",
  doc text COLLATE "C" NOT NULL,
  person text COLLATE "C" NOT NULL
);
CREATE TABLE passwords (user_name text COLLATE "C" PRIMARY KEY, hash text COLLATE "C" NOT NULL);
CREATE TABLE keys (
  name text COLLATE "C" PRIMARY KEY,
  user_name text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  doc text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE
);
CREATE INDEX keys_user ON keys (user_name, name) WHERE user_name IS NOT NULL;
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  user_name text COLLATE "C" NOT NULL,
  client text COLLATE "C",
  address text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C" NOT NULL,
  seen_at text COLLATE "C" NOT NULL,
  doc text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE
);
CREATE INDEX sessions_user ON sessions (user_name, id);
CREATE TABLE invitations (
  hash text COLLATE "C" PRIMARY KEY,
  user_name text COLLATE "C" NOT NULL UNIQUE,
  created_at text COLLATE "C" NOT NULL,
  ends_at text COLLATE "C" NOT NULL
);
CREATE TABLE audit (
  id text COLLATE "C" PRIMARY KEY,
  at text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  actor text COLLATE "C",
  user_name text COLLATE "C",
  key_name text COLLATE "C",
  address text COLLATE "C",
  detail text COLLATE "C",
  doc text COLLATE "C" NOT NULL
);
CREATE INDEX audit_user ON audit (user_name, id) WHERE user_name IS NOT NULL;

INSERT INTO actors SELECT name FROM credentials;
INSERT INTO users SELECT name, NULL, NULL, role, NULL, NULL, false, created_at, created_at, 1, NULL, NULL,
  '{"name":' || to_json(name)::text || ',"fullName":null,"email":null,"role":"' || role
    || '","locale":null,"timeZone":null,"disabled":false,"createdAt":"' || created_at
    || '","updatedAt":"' || created_at || '","revision":1}',
  '{"name":' || to_json(name)::text || ',"fullName":null}'
  FROM credentials WHERE kind = 'user';
INSERT INTO passwords SELECT name, hash FROM credentials WHERE kind = 'user';
INSERT INTO keys SELECT name, NULL, role, NULL, created_at,
  '{"name":' || to_json(name)::text || ',"user":null,"role":"' || role || '","endsAt":null,"createdAt":"'
    || created_at || '"}', hash
  FROM credentials WHERE kind = 'key';
DROP TABLE credentials;
