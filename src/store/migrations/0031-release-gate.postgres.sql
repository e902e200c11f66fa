-- The first statement of each transaction that writes: an instance of another release than the schema's writes nothing.
-- A migration holds the lock alone, so that none begins beside a write. The version is read by a statement of its own,
-- which sees what was committed before the lock was free.
CREATE FUNCTION may_write(integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(1684365680) THEN
      RAISE EXCEPTION USING ERRCODE = 'DD001', MESSAGE = 'the database is being migrated';
    END IF;
    IF (SELECT version FROM dealdesk_schema) <> $1 THEN
      RAISE EXCEPTION USING ERRCODE = 'DD001', MESSAGE = 'the schema is of another release';
    END IF;
  END $$;
