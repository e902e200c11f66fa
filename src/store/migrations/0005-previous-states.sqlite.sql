-- When the row came into the state before: a date cannot tell the states of one second apart.
ALTER TABLE deals ADD COLUMN previous_at TEXT;
ALTER TABLE customers ADD COLUMN previous_at TEXT;
