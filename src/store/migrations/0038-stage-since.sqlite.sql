-- Since when a deal is in its stage, or closed: the beginning of its last period. The board is in this order, which only
-- a move changes.
ALTER TABLE deals ADD COLUMN stage_since TEXT;
ALTER TABLE deals ADD COLUMN closed_at TEXT;
DROP INDEX deals_stage;
-- Rare sorts, each of which made a creation write a page of its index: they read all deals, in a separate thread.
DROP INDEX deals_name;
DROP INDEX deals_price;
UPDATE deals SET stage_since = iif(deals.status = 'open', since, NULL), closed_at = iif(deals.status = 'open', NULL, since)
  FROM periods WHERE periods.deal_id = deals.id AND until IS NULL;
CREATE INDEX deals_stage ON deals (status, stage, stage_since, id);
