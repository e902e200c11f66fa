-- Fields that admins add. The schema is made of them; its version is in a row that comes with the first change.
CREATE TABLE fields (
  id text COLLATE "C" PRIMARY KEY,
  on_ text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  titles text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  options text COLLATE "C" NOT NULL,
  required boolean NOT NULL,
  unique_ boolean NOT NULL,
  indexed_ boolean NOT NULL,
  searched boolean NOT NULL,
  help text COLLATE "C",
  retired_at text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  repeats text COLLATE "C",
  replace_by text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE TABLE model (
  one bigint PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL,
  changed_at text COLLATE "C" NOT NULL
);
-- Whoever writes keeps the model from changing until the end of the transaction, and whoever changes the model waits
-- for all that write by the present one.
CREATE FUNCTION may_write(release integer, known bigint, changes_model boolean) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(1684365680) THEN
      RAISE EXCEPTION USING ERRCODE = 'DD001', MESSAGE = 'the database is being migrated';
    END IF;
    IF changes_model THEN
      PERFORM pg_advisory_xact_lock(1684365677);
    ELSE
      PERFORM pg_advisory_xact_lock_shared(1684365677);
    END IF;
    IF (SELECT version FROM dealdesk_schema) <> release THEN
      RAISE EXCEPTION USING ERRCODE = 'DD001', MESSAGE = 'the schema is of another release';
    END IF;
    IF (SELECT version FROM model) > known THEN
      RAISE EXCEPTION USING ERRCODE = 'DD002', MESSAGE = 'the model has changed';
    END IF;
  END $$;
