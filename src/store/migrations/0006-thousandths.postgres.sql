-- Amounts were whole cents; some currencies have three decimals. The columns get new names, so that an instance
-- of an earlier release fails instead of writing cents. Documents, events and commands keep decimals.
DROP INDEX deals_price;
ALTER TABLE deals RENAME COLUMN price TO price_thousandths;
ALTER TABLE deals RENAME COLUMN amercement TO amercement_thousandths;
ALTER TABLE deals RENAME COLUMN paid TO paid_thousandths;
UPDATE deals SET price_thousandths = price_thousandths * 10,
  amercement_thousandths = amercement_thousandths * 10, paid_thousandths = paid_thousandths * 10;
CREATE INDEX deals_price ON deals (price_thousandths, id);
