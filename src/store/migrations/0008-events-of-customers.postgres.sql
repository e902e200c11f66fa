-- Customers have events and commands too: both name the resource and the thing they are about.
DROP VIEW feed;
ALTER TABLE events RENAME COLUMN deal_id TO subject;
ALTER TABLE events RENAME COLUMN deal TO doc;
ALTER TABLE events ADD COLUMN resource text COLLATE "C" NOT NULL DEFAULT 'deal';
CREATE VIEW feed AS SELECT * FROM events WHERE sequence < (
  SELECT lpad(generation::text, 4, '0') || lpad(pg_snapshot_xmin(pg_current_snapshot())::text, 20, '0')
  FROM feed_generation
);
ALTER TABLE commands RENAME COLUMN deal_id TO subject;
ALTER TABLE commands ADD COLUMN resource text COLLATE "C" NOT NULL DEFAULT 'deal';
-- What a command left behind where no event tells it.
ALTER TABLE commands ADD COLUMN doc text COLLATE "C";
ALTER TABLE deliveries RENAME COLUMN deal_id TO subject;

ALTER TABLE customers ADD COLUMN company text COLLATE "C";
ALTER TABLE customers ADD COLUMN phone text COLLATE "C";
-- In a JSON string quotes are escaped, so this text is found once: between the members.
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"company":null,"phone":null,"createdAt":');
