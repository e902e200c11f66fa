-- Customers have events and commands too: both name the resource and the thing they are about.
ALTER TABLE events RENAME COLUMN deal_id TO subject;
ALTER TABLE events RENAME COLUMN deal TO doc;
ALTER TABLE events ADD COLUMN resource TEXT NOT NULL DEFAULT 'deal';
ALTER TABLE commands RENAME COLUMN deal_id TO subject;
ALTER TABLE commands ADD COLUMN resource TEXT NOT NULL DEFAULT 'deal';
-- What a command left behind where no event tells it.
ALTER TABLE commands ADD COLUMN doc TEXT;
ALTER TABLE deliveries RENAME COLUMN deal_id TO subject;

ALTER TABLE customers ADD COLUMN company TEXT;
ALTER TABLE customers ADD COLUMN phone TEXT;
-- In a JSON string quotes are escaped, so this text is found once: between the members.
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"company":null,"phone":null,"createdAt":');
