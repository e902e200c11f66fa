-- The hash of the secret in the address of a user's calendar.
CREATE TABLE calendars (
  user_name text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE
);
