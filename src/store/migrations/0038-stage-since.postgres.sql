-- Since when a deal is in its stage, or closed: the beginning of its last period. The board is in this order, which only
-- a move changes.
ALTER TABLE deals ADD COLUMN stage_since text COLLATE "C", ADD COLUMN closed_at text COLLATE "C";
DROP INDEX deals_stage;
-- Rare sorts, each of which made a creation write a page of its index: they read all deals.
DROP INDEX deals_name;
DROP INDEX deals_price;
UPDATE deals SET stage_since = CASE deals.status WHEN 'open' THEN since END,
  closed_at = CASE deals.status WHEN 'open' THEN NULL ELSE since END
  FROM periods WHERE periods.deal_id = deals.id AND until IS NULL;
CREATE INDEX deals_stage ON deals (status, stage, stage_since, id);
