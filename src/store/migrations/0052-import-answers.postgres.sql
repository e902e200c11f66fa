-- What values of files mean, as somebody answered, for files with the same headings; without an owner for everybody.
CREATE TABLE import_answers (
  owner text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  headings text COLLATE "C" NOT NULL,
  answers text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, resource, headings)
);
