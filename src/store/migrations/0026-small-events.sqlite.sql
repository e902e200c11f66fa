-- Of the thing that it left behind an event keeps all, or only the members that it changed, without braces: the others
-- are as the event before left them. Every 16th keeps all. The view gives what the events since then keep, each with a
-- separator behind it, which JSON cannot contain. It makes the body of the columns; an earlier release kept the whole
-- body, in the column that now has the params: its instances fail instead of telling parts. decisions/0052
DROP TRIGGER periods_from_events;
DROP VIEW feed;
ALTER TABLE events RENAME COLUMN body TO params;
CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, resource, subject, revision, type, operation, action,
  actor, form, command_id, at, private_to,
  CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
    || ',"actor":' || json_quote(actor) || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
  ELSE params END AS body,
  CASE WHEN doc LIKE '{%' THEN doc ELSE (
    SELECT group_concat(told.doc || char(30), '' ORDER BY told.revision) FROM events AS told
    WHERE told.subject = events.subject
      AND told.revision BETWEEN events.revision - events.revision % 16 AND events.revision
  ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
FROM events;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
CREATE TRIGGER periods_from_events AFTER INSERT ON events
WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
  UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
    WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
      AND (stage <> coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'stage', stage)
        OR status <> coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'status', status));
  INSERT INTO periods (id, deal_id, revision, stage, status, since) VALUES (
    coalesce((SELECT id FROM periods WHERE deal_id = new.subject AND until IS NULL), new.subject || '.' || new.revision),
    new.subject, new.revision,
    coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'stage',
      (SELECT stage FROM periods WHERE deal_id = new.subject ORDER BY revision DESC LIMIT 1)),
    coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'status',
      (SELECT status FROM periods WHERE deal_id = new.subject ORDER BY revision DESC LIMIT 1)),
    new.at
  ) ON CONFLICT (id) DO NOTHING;
END;
