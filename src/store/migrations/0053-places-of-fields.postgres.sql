-- Fields have a place and a heading: those that there are stay in the order in which they were added.
ALTER TABLE fields ADD COLUMN position bigint NOT NULL DEFAULT 0, ADD COLUMN group_ text COLLATE "C";
UPDATE fields SET position = place FROM (
  SELECT id AS placed, row_number() OVER (PARTITION BY on_ ORDER BY id) - 1 AS place FROM fields
) AS places WHERE placed = id;
UPDATE fields SET doc = replace(doc, tail, ',"position":' || position || ',"group":null' || tail) FROM (
  SELECT id AS told, ',"retiredAt":' || coalesce('"' || retired_at || '"', 'null') || ',"state":' AS tail FROM fields
) AS tails WHERE told = id;
-- Pipelines and stages have titles in languages. A likelihood is a number; the texts are names of stages that move.
ALTER TABLE pipelines ADD COLUMN titles text COLLATE "C" NOT NULL DEFAULT '{}';
UPDATE pipelines SET stages = replace(stages, ',"likelihood":', ',"titles":{},"likelihood":'),
  doc = replace(replace(replace(doc, ',"position":' || position || ',', ',"titles":{},"position":' || position || ','),
    ',"likelihood":', ',"titles":{},"likelihood":'), ',"titles":{},"likelihood":"', ',"likelihood":"');
