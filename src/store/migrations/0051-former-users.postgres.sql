-- Names that users had who were removed, and corrections of persons that are under way.
CREATE TABLE former_users (name text COLLATE "C" PRIMARY KEY);
INSERT INTO former_users SELECT DISTINCT user_name FROM audit
  WHERE event = 'user-removed' AND user_name IS NOT NULL AND user_name NOT IN (SELECT name FROM users);
CREATE TABLE corrections (
  id text COLLATE "C" PRIMARY KEY,
  held text COLLATE "C" NOT NULL,
  user_name text COLLATE "C",
  actor text COLLATE "C",
  key_name text COLLATE "C",
  created_at text COLLATE "C" NOT NULL
);
