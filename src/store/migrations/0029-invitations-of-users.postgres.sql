-- An invitation belongs to one user and ends with them: it can never be that of a later user of the same name.
DELETE FROM invitations WHERE NOT EXISTS (
  SELECT 1 FROM users WHERE users.name = invitations.user_name AND users.created_at <= invitations.created_at);
ALTER TABLE invitations ADD FOREIGN KEY (user_name) REFERENCES users (name) ON DELETE CASCADE;
