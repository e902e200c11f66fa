-- Names that users had who were removed, and corrections of persons that are under way.
CREATE TABLE former_users (name TEXT PRIMARY KEY NOT NULL) STRICT;
INSERT INTO former_users SELECT DISTINCT user_name FROM audit
  WHERE event = 'user-removed' AND user_name IS NOT NULL AND user_name NOT IN (SELECT name FROM users);
CREATE TABLE corrections (
  id TEXT PRIMARY KEY NOT NULL,
  held TEXT NOT NULL,
  user_name TEXT,
  actor TEXT,
  key_name TEXT,
  created_at TEXT NOT NULL
) STRICT;
