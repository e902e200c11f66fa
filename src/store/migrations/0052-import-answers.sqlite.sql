-- What values of files mean, as somebody answered, for files with the same headings; without an owner for everybody.
CREATE TABLE import_answers (
  owner TEXT NOT NULL,
  resource TEXT NOT NULL,
  headings TEXT NOT NULL,
  answers TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, resource, headings)
) STRICT, WITHOUT ROWID;
