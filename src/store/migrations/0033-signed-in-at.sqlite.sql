-- When the person of a session last showed who they are; not known of those who were signed in at a provider already.
ALTER TABLE sessions ADD COLUMN signed_in_at TEXT;
