-- Webhooks with conditions, which can be paused.
ALTER TABLE webhooks ADD COLUMN condition text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN changed text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN paused boolean NOT NULL DEFAULT false;
ALTER TABLE webhooks ADD COLUMN owner text COLLATE "C";
UPDATE webhooks SET doc =
  replace(doc, ',"status":', ',"where":null,"changed":null,"paused":false,"owner":null,"status":');
