-- An invitation belongs to one user and ends with them: it can never be that of a later user of the same name.
CREATE TABLE invitations_of_users (
  hash TEXT PRIMARY KEY NOT NULL,
  user_name TEXT NOT NULL UNIQUE REFERENCES users (name) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL
) STRICT;
INSERT INTO invitations_of_users SELECT invitations.* FROM invitations
  JOIN users ON users.name = invitations.user_name AND users.created_at <= invitations.created_at;
DROP TABLE invitations;
ALTER TABLE invitations_of_users RENAME TO invitations;
