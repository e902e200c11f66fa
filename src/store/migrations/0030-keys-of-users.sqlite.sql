-- The actor of an event is the user; the key with which a program did it stands beside it. The name of a key is free
-- within its user, and only users and keys that belong to nobody share one set of names.
ALTER TABLE audit ADD COLUMN actor_key TEXT;
UPDATE audit SET doc = replace(doc, ',"user":', ',"actorKey":null,"user":');
DELETE FROM actors WHERE name IN (SELECT name FROM keys WHERE user_name IS NOT NULL);
CREATE TABLE keys_of_users (
  name TEXT NOT NULL,
  user_name TEXT,
  role TEXT NOT NULL,
  ends_at TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  hash TEXT PRIMARY KEY NOT NULL
) STRICT;
INSERT INTO keys_of_users SELECT name, user_name, role, ends_at, created_at, doc, hash FROM keys;
DROP TABLE keys;
ALTER TABLE keys_of_users RENAME TO keys;
CREATE UNIQUE INDEX keys_user ON keys (user_name, name);
ALTER TABLE events ADD COLUMN key_name TEXT;
DROP VIEW feed;
DROP VIEW told_events;
CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, resource, subject, revision, type, operation, action,
  actor, key_name, form, command_id, at, private_to,
  CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
    || ',"actor":' || json_quote(actor) || CASE WHEN key_name IS NULL THEN '' ELSE ',"key":' || json_quote(key_name) END
    || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
  ELSE params END AS body,
  CASE WHEN doc LIKE '{%' THEN doc ELSE (
    SELECT group_concat(told.doc || char(30), '' ORDER BY told.revision) FROM events AS told
    WHERE told.subject = events.subject
      AND told.revision BETWEEN events.revision - events.revision % 16 AND events.revision
  ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
FROM events;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
