-- Users and keys, which were credentials, are kept apart; they share one set of names, the actors of events.
CREATE TABLE actors (name TEXT PRIMARY KEY NOT NULL) STRICT;
CREATE TABLE users (
  name TEXT PRIMARY KEY NOT NULL,
  full_name TEXT,
  email TEXT,
  role TEXT NOT NULL,
  locale TEXT,
  time_zone TEXT,
  disabled INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  last_seen_at TEXT,
  previous_at TEXT,
  doc TEXT NOT NULL,
  person TEXT NOT NULL
) STRICT;
CREATE TABLE passwords (user_name TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE keys (
  name TEXT PRIMARY KEY NOT NULL,
  user_name TEXT,
  role TEXT NOT NULL,
  ends_at TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX keys_user ON keys (user_name, name) WHERE user_name IS NOT NULL;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  user_name TEXT NOT NULL,
  client TEXT,
  address TEXT,
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX sessions_user ON sessions (user_name, id);
CREATE TABLE invitations (
  hash TEXT PRIMARY KEY NOT NULL,
  user_name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL
) STRICT;
CREATE TABLE audit (
  id TEXT PRIMARY KEY NOT NULL,
  at TEXT NOT NULL,
  event TEXT NOT NULL,
  actor TEXT,
  user_name TEXT,
  key_name TEXT,
  address TEXT,
  detail TEXT,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX audit_user ON audit (user_name, id) WHERE user_name IS NOT NULL;

INSERT INTO actors SELECT name FROM credentials;
INSERT INTO users SELECT name, NULL, NULL, role, NULL, NULL, 0, created_at, created_at, 1, NULL, NULL,
  '{"name":' || json_quote(name) || ',"fullName":null,"email":null,"role":"' || role
    || '","locale":null,"timeZone":null,"disabled":false,"createdAt":"' || created_at
    || '","updatedAt":"' || created_at || '","revision":1}',
  '{"name":' || json_quote(name) || ',"fullName":null}'
  FROM credentials WHERE kind = 'user';
INSERT INTO passwords SELECT name, hash FROM credentials WHERE kind = 'user';
INSERT INTO keys SELECT name, NULL, role, NULL, created_at,
  '{"name":' || json_quote(name) || ',"user":null,"role":"' || role || '","endsAt":null,"createdAt":"'
    || created_at || '"}', hash
  FROM credentials WHERE kind = 'key';
DROP TABLE credentials;
