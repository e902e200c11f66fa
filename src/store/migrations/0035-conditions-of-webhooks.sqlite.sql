-- Webhooks with conditions, which can be paused.
ALTER TABLE webhooks ADD COLUMN condition TEXT;
ALTER TABLE webhooks ADD COLUMN changed TEXT;
ALTER TABLE webhooks ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN owner TEXT;
UPDATE webhooks SET doc =
  replace(doc, ',"status":', ',"where":null,"changed":null,"paused":false,"owner":null,"status":');
