CREATE TABLE identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_name text COLLATE "C" NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_name);
