-- What an import did, so that it can be undone. An event names its import; customers, of which an import records no
-- events, are in a table: those that it made, and the others as they were before. Each restored thing has an event of
-- its own for its history, but the feed tells once that an import was undone.
ALTER TABLE events ADD COLUMN import_id TEXT;
CREATE INDEX events_import ON events (import_id, resource, subject, revision) WHERE import_id IS NOT NULL;
CREATE TABLE import_changes (
  import_id TEXT NOT NULL,
  resource TEXT NOT NULL,
  subject TEXT NOT NULL,
  first INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  before TEXT,
  PRIMARY KEY (import_id, resource, subject)
) STRICT, WITHOUT ROWID;
ALTER TABLE imports ADD COLUMN found TEXT;
UPDATE imports SET stage = 'checking' WHERE stage = 'matching';
UPDATE imports SET stage = 'ready' WHERE stage = 'checked';
-- Imports as everybody sees them: one whose run has ended without a word has failed.
CREATE VIEW listed_imports AS SELECT rowid AS rowid, id, resource, name, size,
  CASE WHEN stage IN ('uploading', 'checking', 'importing') AND coalesce(claimed_until, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN 'failed'
    WHEN stage = 'uploading' THEN 'checking' ELSE stage END AS stage,
  CASE WHEN stage IN ('uploading', 'checking', 'importing') THEN stage END AS work,
  (claimed_until IS NOT NULL AND claimed_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) AS is_running,
  inserted, updated, unchanged, rejected, created_at, nullif(trim(owner), '') AS owner, fault, found,
  matching, upto, position, ends_at
FROM imports WHERE ends_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
DROP VIEW feed;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0)
    AND NOT (type = 'import.undone' AND resource <> 'import');
