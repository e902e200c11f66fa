-- The id of a thing in another system, unique where there is one. decisions/0058
ALTER TABLE deals ADD COLUMN reference TEXT;
ALTER TABLE customers ADD COLUMN reference TEXT;
ALTER TABLE tasks ADD COLUMN reference TEXT;
UPDATE deals SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"reference":null,"createdAt":');
UPDATE tasks SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
-- An import kept the reference of a row in the id of its command, with the bytes of other characters as hex digits.
-- That of a row without one was made of the upload's id and the line.
CREATE TABLE imported_references AS
WITH RECURSIVE imported (resource, subject, encoded) AS (
  SELECT resource, subject, substr(id, length('import-' || resource || '-') + 1) FROM commands
  WHERE id GLOB 'import-' || resource || '-*' AND action IN ('CreateDeal', 'CreateTask') AND status = 'applied'
),
decoded (resource, subject, rest, hex) AS (
  SELECT resource, subject, encoded, '' FROM imported
  WHERE encoded NOT GLOB replace('HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH-[0-9]*', 'H', '[0-9a-f]')
    OR substr(encoded, 38) GLOB '*[^0-9]*'
  UNION ALL SELECT resource, subject, substr(rest, iif(rest LIKE '~%', 4, 2)),
    hex || iif(rest LIKE '~%', substr(rest, 2, 2), hex(substr(rest, 1, 1)))
  FROM decoded WHERE rest <> ''
)
SELECT resource, subject, CAST(unhex(hex) AS TEXT) AS reference FROM decoded WHERE rest = '';
UPDATE deals SET reference = imported.reference,
  doc = replace(doc, ',"reference":null,', ',"reference":' || json_quote(imported.reference) || ',')
  FROM imported_references AS imported WHERE imported.resource = 'deal' AND subject = deals.id;
UPDATE tasks SET reference = imported.reference,
  doc = replace(doc, ',"reference":null,', ',"reference":' || json_quote(imported.reference) || ',')
  FROM imported_references AS imported WHERE imported.resource = 'task' AND subject = tasks.id;
DROP TABLE imported_references;
CREATE UNIQUE INDEX deals_reference ON deals (reference) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX customers_reference ON customers (reference) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX tasks_reference ON tasks (reference) WHERE reference IS NOT NULL;
