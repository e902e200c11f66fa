ALTER TABLE customers ADD COLUMN vat_number text COLLATE "C";
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"vatNumber":null,"createdAt":');
