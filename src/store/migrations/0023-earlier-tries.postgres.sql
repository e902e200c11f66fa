-- The tries before the last one, as JSON texts with commas between, and how a receiver does.
ALTER TABLE deliveries ADD COLUMN tries text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN failing_since text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN last_error text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN delivered_at text COLLATE "C";
