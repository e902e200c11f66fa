-- The same periods, without the temporary table that a SELECT from the table itself takes: where a period is open, the
-- new row has its id and is left out.
DROP TRIGGER periods_from_events;
CREATE TRIGGER periods_from_events AFTER INSERT ON events
WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
  UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
    WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
      AND (stage <> new.doc ->> 'stage' OR status <> new.doc ->> 'status');
  INSERT INTO periods (id, deal_id, revision, stage, status, since) VALUES (
    coalesce((SELECT id FROM periods WHERE deal_id = new.subject AND until IS NULL), new.subject || '.' || new.revision),
    new.subject, new.revision, new.doc ->> 'stage', new.doc ->> 'status', new.at
  ) ON CONFLICT (id) DO NOTHING;
END;
