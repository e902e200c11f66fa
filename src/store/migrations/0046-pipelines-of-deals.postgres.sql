-- The pipeline of a deal, and of each period: its stage is one of that pipeline's.
ALTER TABLE deals ADD COLUMN pipeline text COLLATE "C" NOT NULL DEFAULT 'sales';
UPDATE deals SET doc = replace(doc, ',"stage":', ',"pipeline":"sales","stage":');
ALTER TABLE periods ADD COLUMN pipeline text COLLATE "C" NOT NULL DEFAULT 'sales';
DROP INDEX deals_stage;
CREATE INDEX deals_stage ON deals (status, pipeline, stage, stage_since, id);
