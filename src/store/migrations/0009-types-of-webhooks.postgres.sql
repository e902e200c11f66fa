-- Webhooks without types were made when deals alone had events, and keep to those.
UPDATE webhooks SET types = '["deal.*"]', doc = replace(doc, ',"types":null,', ',"types":["deal.*"],')
WHERE types IS NULL;

-- A purge looks for these.
CREATE INDEX events_customer_deleted ON events (subject) WHERE type = 'customer.deleted';
