-- Each event leads to the one before it of the same thing, whose row leads to the last one: an index of all subjects
-- made every change write a page of its own. It has every 16th event, and those that nothing else leads to: the last
-- ones of removed things and of imports, and what a trim has left. decisions/0060
ALTER TABLE customers ADD COLUMN last_event INTEGER;
ALTER TABLE deals ADD COLUMN last_event INTEGER;
ALTER TABLE tasks ADD COLUMN last_event INTEGER;
ALTER TABLE rates ADD COLUMN last_event INTEGER;
ALTER TABLE views ADD COLUMN last_event INTEGER;
ALTER TABLE targets ADD COLUMN last_event INTEGER;
ALTER TABLE fields ADD COLUMN last_event INTEGER;
CREATE TEMP TABLE links (sequence INTEGER PRIMARY KEY, previous INTEGER, is_last INTEGER NOT NULL);
INSERT INTO temp.links SELECT sequence, lag(sequence) OVER own, lead(sequence) OVER own IS NULL
  FROM events WINDOW own AS (PARTITION BY subject ORDER BY revision);
CREATE TEMP TABLE lasts AS SELECT sequence, resource, subject FROM temp.links CROSS JOIN events USING (sequence)
  WHERE is_last;
UPDATE customers SET last_event = sequence FROM temp.lasts WHERE resource = 'customer'
  AND CAST(CAST(subject AS INTEGER) AS TEXT) = subject AND customers.id = CAST(subject AS INTEGER);
UPDATE deals SET last_event = sequence FROM temp.lasts WHERE resource = 'deal' AND deals.id = subject;
UPDATE tasks SET last_event = sequence FROM temp.lasts WHERE resource = 'task' AND tasks.id = subject;
UPDATE rates SET last_event = sequence FROM temp.lasts WHERE resource = 'rate' AND rates.id = subject;
UPDATE views SET last_event = sequence FROM temp.lasts WHERE resource = 'view' AND views.id = subject;
UPDATE targets SET last_event = sequence FROM temp.lasts WHERE resource = 'target' AND targets.id = subject;
UPDATE fields SET last_event = sequence FROM temp.lasts WHERE resource = 'field' AND fields.id = subject;
DROP TABLE temp.lasts;
UPDATE temp.links SET is_last = 0 WHERE is_last AND sequence IN (
  SELECT last_event FROM customers UNION ALL SELECT last_event FROM deals UNION ALL SELECT last_event FROM tasks
  UNION ALL SELECT last_event FROM rates UNION ALL SELECT last_event FROM views
  UNION ALL SELECT last_event FROM targets UNION ALL SELECT last_event FROM fields);
DROP VIEW feed;
DROP VIEW told_events;
CREATE TABLE linked_events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  operation TEXT NOT NULL,
  action TEXT NOT NULL,
  actor TEXT,
  form TEXT NOT NULL,
  command_id TEXT,
  at TEXT NOT NULL,
  params TEXT NOT NULL,
  doc TEXT NOT NULL,
  resource TEXT NOT NULL DEFAULT 'deal',
  private_to TEXT,
  key_name TEXT,
  import_id TEXT,
  previous INTEGER,
  milestone INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO linked_events SELECT sequence, subject, revision, type, operation, action, actor, form, command_id, at,
    params, doc, resource, private_to, key_name, import_id, previous,
    is_last OR revision % 16 = 0 OR type = 'import.undone'
      OR sequence <= coalesce((SELECT max(upto) FROM trimmed_feed), 0)
  FROM events CROSS JOIN temp.links USING (sequence) ORDER BY sequence;
DROP TABLE temp.links;
DELETE FROM sqlite_sequence WHERE name = 'linked_events';
INSERT INTO sqlite_sequence (name, seq) SELECT 'linked_events', seq FROM sqlite_sequence WHERE name = 'events';
DROP TABLE events;
ALTER TABLE linked_events RENAME TO events;
CREATE UNIQUE INDEX events_milestones ON events (subject, revision) WHERE milestone = 1;
CREATE INDEX events_customer_deleted ON events (subject) WHERE type = 'customer.deleted';
CREATE INDEX events_task_deleted ON events (subject) WHERE type = 'task.deleted';
CREATE INDEX events_rate_deleted ON events (subject) WHERE type = 'rate.deleted';
CREATE INDEX events_view_deleted ON events (subject) WHERE type = 'view.deleted';
CREATE INDEX events_target_deleted ON events (subject) WHERE type = 'target.deleted';
CREATE INDEX events_at ON events (at, actor, type, private_to);
CREATE INDEX events_notes ON events (subject) WHERE operation = 'add-note';
CREATE INDEX events_import ON events (import_id, resource, subject, revision) WHERE import_id IS NOT NULL;
CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, previous, resource, subject, revision, type, operation,
  action, actor, key_name, form, command_id, at, private_to,
  CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
    || ',"actor":' || json_quote(actor) || CASE WHEN key_name IS NULL THEN '' ELSE ',"key":' || json_quote(key_name) END
    || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
  ELSE params END AS body,
  CASE WHEN doc LIKE '{%' THEN doc ELSE (
    WITH RECURSIVE told (doc, previous, revision) AS (
      SELECT events.doc, events.previous, events.revision
      UNION ALL SELECT earlier.doc, earlier.previous, earlier.revision
        FROM told CROSS JOIN events AS earlier ON earlier.sequence = told.previous WHERE told.doc NOT LIKE '{%'
    ) SELECT group_concat(doc || char(30), '' ORDER BY revision) FROM told
  ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
FROM events;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0)
    AND NOT (type = 'import.undone' AND resource <> 'import');
