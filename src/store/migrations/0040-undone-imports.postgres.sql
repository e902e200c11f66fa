-- What an import did, so that it can be undone. An event names its import; customers, of which an import records no
-- events, are in a table: those that it made, and the others as they were before. Each restored thing has an event of
-- its own for its history, but the feed tells once that an import was undone.
ALTER TABLE events ADD COLUMN import_id text COLLATE "C";
CREATE INDEX events_import ON events (import_id, resource, subject, revision) WHERE import_id IS NOT NULL;
CREATE TABLE import_changes (
  import_id text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  revision bigint NOT NULL,
  before text COLLATE "C",
  PRIMARY KEY (import_id, resource, subject)
);
ALTER TABLE imports ADD COLUMN found text COLLATE "C";
UPDATE imports SET stage = 'checking' WHERE stage = 'matching';
UPDATE imports SET stage = 'ready' WHERE stage = 'checked';
-- Imports as everybody sees them: one whose run has ended without a word has failed.
CREATE VIEW listed_imports AS SELECT id, resource, name, size,
  CASE WHEN stage IN ('uploading', 'checking', 'importing') AND coalesce(claimed_until, '') <= to_char((statement_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C" THEN 'failed'
    WHEN stage = 'uploading' THEN 'checking' ELSE stage END AS stage,
  CASE WHEN stage IN ('uploading', 'checking', 'importing') THEN stage END AS work,
  (claimed_until IS NOT NULL AND claimed_until > to_char((statement_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C") AS is_running,
  inserted, updated, unchanged, rejected, created_at, nullif(trim(owner), '') AS owner, fault, found,
  matching, upto, position, ends_at
FROM imports WHERE ends_at > to_char((statement_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C";
DROP VIEW feed;
CREATE VIEW feed AS SELECT * FROM told_events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '') AND sequence < (
    SELECT lpad(generation::text, 4, '0') || lpad(pg_snapshot_xmin(pg_current_snapshot())::text, 20, '0')
    FROM feed_generation
  ) AND NOT (type = 'import.undone' AND resource <> 'import');
