-- The hash of the secret in the address of a user's calendar.
CREATE TABLE calendars (
  user_name TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL UNIQUE
) STRICT;
