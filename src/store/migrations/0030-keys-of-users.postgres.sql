-- The actor of an event is the user; the key with which a program did it stands beside it. The name of a key is free
-- within its user, and only users and keys that belong to nobody share one set of names.
ALTER TABLE audit ADD COLUMN actor_key text COLLATE "C";
UPDATE audit SET doc = replace(doc, ',"user":', ',"actorKey":null,"user":');
DELETE FROM actors WHERE name IN (SELECT name FROM keys WHERE user_name IS NOT NULL);
ALTER TABLE keys DROP CONSTRAINT keys_pkey, DROP CONSTRAINT keys_hash_key, ADD PRIMARY KEY (hash);
DROP INDEX keys_user;
CREATE UNIQUE INDEX keys_user ON keys (user_name, name);
ALTER TABLE events ADD COLUMN key_name text COLLATE "C";
DROP VIEW feed;
DROP VIEW told_events;
CREATE VIEW told_events AS SELECT sequence, resource, subject, revision, type, operation, action,
  actor, key_name, form, command_id, at, private_to,
  CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
    || ',"actor":' || coalesce(to_json(actor)::text, 'null') || coalesce(',"key":' || to_json(key_name)::text, '')
    || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
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
