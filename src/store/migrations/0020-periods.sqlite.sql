-- How long each deal was in a stage and a status, kept with the events that tell so. A copy brings the periods before
-- the events, which then change nothing. decisions/0050
CREATE TABLE periods (
  id TEXT PRIMARY KEY NOT NULL,
  deal_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  since TEXT NOT NULL,
  until TEXT,
  seconds INTEGER
) STRICT;
CREATE INDEX periods_deal ON periods (deal_id, id);
CREATE TRIGGER periods_from_events AFTER INSERT ON events
WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
  UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
    WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
      AND (stage <> new.doc ->> 'stage' OR status <> new.doc ->> 'status');
  INSERT INTO periods (id, deal_id, revision, stage, status, since)
    SELECT new.subject || '.' || new.revision, new.subject, new.revision, new.doc ->> 'stage', new.doc ->> 'status', new.at
    WHERE NOT EXISTS (SELECT 1 FROM periods WHERE deal_id = new.subject AND until IS NULL);
END;
CREATE TRIGGER periods_of_purged AFTER DELETE ON deals BEGIN
  DELETE FROM periods WHERE deal_id = old.id;
END;
INSERT INTO periods (id, deal_id, revision, stage, status, since, until, seconds)
  SELECT subject || '.' || revision, subject, revision, stage, status, at, left_at, unixepoch(left_at) - unixepoch(at) FROM (
    SELECT subject, revision, stage, status, at, lead(at) OVER (PARTITION BY subject ORDER BY revision) AS left_at FROM (
      SELECT subject, revision, doc ->> 'stage' AS stage, doc ->> 'status' AS status, at,
        lag((doc ->> 'stage') || (doc ->> 'status')) OVER (PARTITION BY subject ORDER BY revision) AS before
      FROM events WHERE resource = 'deal' AND operation IN ('create', 'move', 'complete', 'cancel', 'reopen')
    ) WHERE before IS NULL OR before <> stage || status
  ) WHERE EXISTS (SELECT 1 FROM deals WHERE deals.id = subject);
