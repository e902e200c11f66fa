-- Texts that SQL cannot fold by itself, as a JSON object of fields. decisions/0029
ALTER TABLE customers ADD COLUMN folded TEXT;
ALTER TABLE deals ADD COLUMN folded TEXT;
