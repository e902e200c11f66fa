-- How long each deal was in a stage and a status, kept with the events that tell so. A copy brings the periods before
-- the events, which then change nothing. decisions/0050
CREATE TABLE periods (
  id text COLLATE "C" PRIMARY KEY,
  deal_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  stage text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  since text COLLATE "C" NOT NULL,
  until text COLLATE "C",
  seconds bigint
);
CREATE INDEX periods_deal ON periods (deal_id, id);
CREATE FUNCTION seconds_between(text, text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM $2::timestamptz))::bigint - floor(extract(epoch FROM $1::timestamptz))::bigint $$;
CREATE FUNCTION periods_from_events() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    now_in text := NEW.doc::json ->> 'stage';
    now_is text := NEW.doc::json ->> 'status';
  BEGIN
    UPDATE periods SET until = NEW.at, seconds = seconds_between(since, NEW.at)
      WHERE deal_id = NEW.subject AND revision < NEW.revision AND until IS NULL AND (stage <> now_in OR status <> now_is);
    INSERT INTO periods (id, deal_id, revision, stage, status, since)
      SELECT NEW.subject || '.' || NEW.revision, NEW.subject, NEW.revision, now_in, now_is, NEW.at
      WHERE NOT EXISTS (SELECT 1 FROM periods WHERE deal_id = NEW.subject AND until IS NULL);
    RETURN NULL;
  END $$;
CREATE TRIGGER periods_from_events AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.resource = 'deal' AND NEW.operation IN ('create', 'move', 'complete', 'cancel', 'reopen'))
  EXECUTE FUNCTION periods_from_events();
ALTER TABLE events ENABLE ALWAYS TRIGGER periods_from_events;
CREATE FUNCTION periods_of_purged() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN DELETE FROM periods WHERE deal_id = OLD.id; RETURN NULL; END $$;
CREATE TRIGGER periods_of_purged AFTER DELETE ON deals FOR EACH ROW EXECUTE FUNCTION periods_of_purged();
ALTER TABLE deals ENABLE ALWAYS TRIGGER periods_of_purged;
CREATE FUNCTION periods_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN TRUNCATE periods; RETURN NULL; END $$;
CREATE TRIGGER periods_emptied AFTER TRUNCATE ON deals FOR EACH STATEMENT EXECUTE FUNCTION periods_emptied();
ALTER TABLE deals ENABLE ALWAYS TRIGGER periods_emptied;
INSERT INTO periods (id, deal_id, revision, stage, status, since, until, seconds)
  SELECT subject || '.' || revision, subject, revision, stage, status, at, left_at, seconds_between(at, left_at) FROM (
    SELECT subject, revision, stage, status, at, lead(at) OVER (PARTITION BY subject ORDER BY revision) AS left_at FROM (
      SELECT subject, revision, stage, status, at,
        lag(stage || status) OVER (PARTITION BY subject ORDER BY revision) AS before FROM (
        SELECT subject, revision, at, doc::json ->> 'stage' AS stage, doc::json ->> 'status' AS status
        FROM events WHERE resource = 'deal' AND operation IN ('create', 'move', 'complete', 'cancel', 'reopen')
      ) AS told
    ) AS states WHERE before IS NULL OR before <> stage || status
  ) AS lengths WHERE EXISTS (SELECT 1 FROM deals WHERE deals.id = subject);
