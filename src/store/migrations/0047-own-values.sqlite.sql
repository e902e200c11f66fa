-- The values of added fields, as the JSON object of those that are set, and the values of the indexed ones in the order
-- of the values, each with the number of its row. Triggers keep them for every writer.
CREATE TABLE own_indexes (on_table TEXT NOT NULL, field TEXT NOT NULL, PRIMARY KEY (on_table, field)) STRICT, WITHOUT ROWID;
ALTER TABLE deals ADD COLUMN own TEXT;
CREATE TABLE deals_own (field TEXT NOT NULL, value ANY NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (field, value, n)) STRICT, WITHOUT ROWID;
CREATE TRIGGER deals_own_inserted AFTER INSERT ON deals WHEN new.own IS NOT NULL BEGIN
  INSERT INTO deals_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'deals' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER deals_own_updated AFTER UPDATE OF own ON deals WHEN old.own IS NOT new.own BEGIN
  DELETE FROM deals_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
  INSERT INTO deals_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'deals' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER deals_own_deleted AFTER DELETE ON deals WHEN old.own IS NOT NULL BEGIN
  DELETE FROM deals_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
END;
ALTER TABLE customers ADD COLUMN own TEXT;
CREATE TABLE customers_own (field TEXT NOT NULL, value ANY NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (field, value, n)) STRICT, WITHOUT ROWID;
CREATE TRIGGER customers_own_inserted AFTER INSERT ON customers WHEN new.own IS NOT NULL BEGIN
  INSERT INTO customers_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'customers' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER customers_own_updated AFTER UPDATE OF own ON customers WHEN old.own IS NOT new.own BEGIN
  DELETE FROM customers_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
  INSERT INTO customers_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'customers' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER customers_own_deleted AFTER DELETE ON customers WHEN old.own IS NOT NULL BEGIN
  DELETE FROM customers_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
END;
ALTER TABLE tasks ADD COLUMN own TEXT;
CREATE TABLE tasks_own (field TEXT NOT NULL, value ANY NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (field, value, n)) STRICT, WITHOUT ROWID;
CREATE TRIGGER tasks_own_inserted AFTER INSERT ON tasks WHEN new.own IS NOT NULL BEGIN
  INSERT INTO tasks_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'tasks' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER tasks_own_updated AFTER UPDATE OF own ON tasks WHEN old.own IS NOT new.own BEGIN
  DELETE FROM tasks_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
  INSERT INTO tasks_own SELECT field, value, new.rowid FROM own_indexes JOIN json_each(new.own) ON key = field
    WHERE on_table = 'tasks' ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER tasks_own_deleted AFTER DELETE ON tasks WHEN old.own IS NOT NULL BEGIN
  DELETE FROM tasks_own WHERE n = old.rowid AND (field, value) IN (SELECT key, value FROM json_each(old.own));
END;
