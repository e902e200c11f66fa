-- Of the thing that it left behind an event keeps all, or only the members that it changed, without braces: the others
-- are as the event before left them. Every 16th keeps all. The view gives what the events since then keep, each with a
-- separator behind it, which JSON cannot contain. It makes the body of the columns; an earlier release kept the whole
-- body, in the column that now has the params: its instances fail instead of telling parts. decisions/0052
DROP VIEW feed;
ALTER TABLE events RENAME COLUMN body TO params;
CREATE VIEW told_events AS SELECT sequence, resource, subject, revision, type, operation, action,
  actor, form, command_id, at, private_to,
  CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
    || ',"actor":' || coalesce(to_json(actor)::text, 'null') || ',"form":"' || form || '"'
    || coalesce(',"commandId":"' || command_id || '"', '')
  ELSE params END COLLATE "C" AS body,
  CASE WHEN doc LIKE '{%' THEN doc ELSE (
    SELECT string_agg(told.doc || chr(30), '' ORDER BY told.revision) FROM events AS told
    WHERE told.subject = events.subject
      AND told.revision BETWEEN events.revision - events.revision % 16 AND events.revision
  ) || '"updatedAt":"' || at || '","revision":' || revision || chr(30) END COLLATE "C" AS doc
FROM events;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '') AND sequence < (
    SELECT lpad(generation::text, 4, '0') || lpad(pg_snapshot_xmin(pg_current_snapshot())::text, 20, '0')
    FROM feed_generation
  );
CREATE OR REPLACE FUNCTION periods_from_events() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kept json := CASE WHEN NEW.doc LIKE '{%' THEN NEW.doc ELSE '{' || NEW.doc || '}' END;
    now_in text := kept ->> 'stage';
    now_is text := kept ->> 'status';
  BEGIN
    IF now_in IS NULL OR now_is IS NULL THEN
      SELECT coalesce(now_in, stage), coalesce(now_is, status) INTO now_in, now_is FROM periods
        WHERE deal_id = NEW.subject ORDER BY revision DESC LIMIT 1;
    END IF;
    UPDATE periods SET until = NEW.at, seconds = seconds_between(since, NEW.at)
      WHERE deal_id = NEW.subject AND revision < NEW.revision AND until IS NULL AND (stage <> now_in OR status <> now_is);
    INSERT INTO periods (id, deal_id, revision, stage, status, since)
      SELECT NEW.subject || '.' || NEW.revision, NEW.subject, NEW.revision, now_in, now_is, NEW.at
      WHERE NOT EXISTS (SELECT 1 FROM periods WHERE deal_id = NEW.subject AND until IS NULL);
    RETURN NULL;
  END $$;
