-- What an event or a command tells of a private thing is for one user.
DROP VIEW feed;
ALTER TABLE events ADD COLUMN private_to text COLLATE "C";
CREATE VIEW feed AS SELECT * FROM events
  WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '') AND sequence < (
    SELECT lpad(generation::text, 4, '0') || lpad(pg_snapshot_xmin(pg_current_snapshot())::text, 20, '0')
    FROM feed_generation
  );
ALTER TABLE commands ADD COLUMN private_to text COLLATE "C";
CREATE TABLE views (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL,
  shared boolean NOT NULL,
  owner text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE INDEX views_name ON views (name, id);
CREATE INDEX views_owner ON views (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX events_view_deleted ON events (subject) WHERE type = 'view.deleted';
