-- The tries before the last one, as JSON texts with commas between, and how a receiver does.
ALTER TABLE deliveries ADD COLUMN tries TEXT;
ALTER TABLE webhooks ADD COLUMN failing_since TEXT;
ALTER TABLE webhooks ADD COLUMN last_error TEXT;
ALTER TABLE webhooks ADD COLUMN delivered_at TEXT;
