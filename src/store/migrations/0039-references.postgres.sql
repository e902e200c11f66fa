-- The id of a thing in another system, unique where there is one. decisions/0058
ALTER TABLE deals ADD COLUMN reference text COLLATE "C";
ALTER TABLE customers ADD COLUMN reference text COLLATE "C";
ALTER TABLE tasks ADD COLUMN reference text COLLATE "C";
UPDATE deals SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"reference":null,"createdAt":');
UPDATE tasks SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
-- An import kept the reference of a row in the id of its command, with the bytes of other characters as hex digits.
-- That of a row without one was made of the upload's id and the line.
CREATE TEMPORARY TABLE imported_references ON COMMIT DROP AS
SELECT resource, subject, (
  SELECT convert_from(string_agg(coalesce(decode(part[1], 'hex'), convert_to(part[2], 'UTF8')), '' ORDER BY place), 'UTF8')
  FROM regexp_matches(encoded, '~(..)|([^~]+)', 'g') WITH ORDINALITY AS parts (part, place)
) COLLATE "C" AS reference
FROM (
  SELECT resource, subject, substr(id, length('import-' || resource || '-') + 1) AS encoded FROM commands
  WHERE starts_with(id, 'import-' || resource || '-') AND action IN ('CreateDeal', 'CreateTask') AND status = 'applied'
) AS imported
WHERE encoded !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+$';
UPDATE deals SET reference = imported.reference,
  doc = replace(doc, ',"reference":null,', ',"reference":' || to_json(imported.reference) || ',')
  FROM imported_references AS imported WHERE imported.resource = 'deal' AND subject = deals.id;
UPDATE tasks SET reference = imported.reference,
  doc = replace(doc, ',"reference":null,', ',"reference":' || to_json(imported.reference) || ',')
  FROM imported_references AS imported WHERE imported.resource = 'task' AND subject = tasks.id;
CREATE UNIQUE INDEX deals_reference ON deals (reference) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX customers_reference ON customers (reference) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX tasks_reference ON tasks (reference) WHERE reference IS NOT NULL;
