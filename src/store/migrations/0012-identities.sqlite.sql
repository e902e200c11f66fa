CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_name TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identities_user ON identities (user_name);
