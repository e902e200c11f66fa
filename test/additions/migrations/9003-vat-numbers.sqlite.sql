ALTER TABLE customers ADD COLUMN vat_number TEXT;
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"vatNumber":null,"createdAt":');
