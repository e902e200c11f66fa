-- Of the events up to this place only the creation and the last state of each thing are left. No row: none is missing.
CREATE TABLE trimmed_feed (upto text COLLATE "C" NOT NULL);
CREATE TABLE trimmed_histories (subject text COLLATE "C" PRIMARY KEY, events bigint NOT NULL);
CREATE OR REPLACE VIEW feed AS SELECT * FROM events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '') AND sequence < (
    SELECT lpad(generation::text, 4, '0') || lpad(pg_snapshot_xmin(pg_current_snapshot())::text, 20, '0')
    FROM feed_generation
  );
