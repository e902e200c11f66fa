-- Statements that cannot fail halfway need no copy of the pages that they change, in case they are undone: a writer
-- undoes its whole transaction. So no function is called for an event, references are checked by the commit, and no
-- conflict is told to be ignored by a word that a statement with OR FAIL overrides. The writer keeps the periods.
DROP TRIGGER periods_from_events;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'REFERENCES customers (id)', 'REFERENCES customers (id) DEFERRABLE INITIALLY DEFERRED'),
    'REFERENCES deals (id)', 'REFERENCES deals (id) DEFERRABLE INITIALLY DEFERRED')
  WHERE type = 'table' AND name IN ('deals', 'tasks');
UPDATE sqlite_schema SET sql = replace(replace(sql, 'INSERT OR IGNORE', 'INSERT'), '; END', ' ON CONFLICT DO NOTHING; END')
  WHERE type = 'trigger' AND name GLOB '*_grams_*';
PRAGMA writable_schema = RESET;
