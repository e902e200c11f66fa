-- The values of added fields, as the JSON object of those that are set, and the values of the indexed ones in the order
-- of the values, each with the id of its thing. Triggers keep them for every writer. A number is written in digits that
-- sort as it does; what is too long for an index is told apart by its digest.
CREATE TABLE own_indexes (
  on_table text COLLATE "C" NOT NULL,
  field text COLLATE "C" NOT NULL,
  PRIMARY KEY (on_table, field)
);
CREATE FUNCTION own_index_value(value json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE json_typeof(value)
    WHEN 'number' THEN lpad(to_hex((value #>> '{}')::bigint # (-9223372036854775808)), 16, '0')
    ELSE CASE WHEN octet_length(value #>> '{}') <= 2000 THEN value #>> '{}'
      ELSE left(value #>> '{}', 300) || chr(1) || encode(sha256(convert_to(value #>> '{}', 'UTF8')), 'hex') END
  END COLLATE "C"
$$;
ALTER TABLE deals ADD COLUMN own text COLLATE "C";
CREATE TABLE deals_own (
  field text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (field, value, id)
);
CREATE FUNCTION deals_own_kept() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.own IS NOT NULL THEN
      DELETE FROM deals_own USING json_each(OLD.own::json) AS was
      WHERE deals_own.field = was.key AND deals_own.value = own_index_value(was.value) AND deals_own.id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.own IS NOT NULL THEN
      INSERT INTO deals_own SELECT field, own_index_value(value), NEW.id
      FROM json_each(NEW.own::json) JOIN own_indexes ON key = field AND on_table = 'deals' ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
$$;
CREATE TRIGGER deals_own_inserted AFTER INSERT ON deals FOR EACH ROW WHEN (NEW.own IS NOT NULL)
  EXECUTE FUNCTION deals_own_kept();
CREATE TRIGGER deals_own_updated AFTER UPDATE ON deals FOR EACH ROW WHEN (OLD.own IS DISTINCT FROM NEW.own)
  EXECUTE FUNCTION deals_own_kept();
CREATE TRIGGER deals_own_deleted AFTER DELETE ON deals FOR EACH ROW WHEN (OLD.own IS NOT NULL)
  EXECUTE FUNCTION deals_own_kept();
ALTER TABLE deals ENABLE ALWAYS TRIGGER deals_own_inserted, ENABLE ALWAYS TRIGGER deals_own_updated,
  ENABLE ALWAYS TRIGGER deals_own_deleted;
ALTER TABLE customers ADD COLUMN own text COLLATE "C";
CREATE TABLE customers_own (
  field text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (field, value, id)
);
CREATE FUNCTION customers_own_kept() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.own IS NOT NULL THEN
      DELETE FROM customers_own USING json_each(OLD.own::json) AS was
      WHERE customers_own.field = was.key AND customers_own.value = own_index_value(was.value) AND customers_own.id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.own IS NOT NULL THEN
      INSERT INTO customers_own SELECT field, own_index_value(value), NEW.id
      FROM json_each(NEW.own::json) JOIN own_indexes ON key = field AND on_table = 'customers' ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
$$;
CREATE TRIGGER customers_own_inserted AFTER INSERT ON customers FOR EACH ROW WHEN (NEW.own IS NOT NULL)
  EXECUTE FUNCTION customers_own_kept();
CREATE TRIGGER customers_own_updated AFTER UPDATE ON customers FOR EACH ROW WHEN (OLD.own IS DISTINCT FROM NEW.own)
  EXECUTE FUNCTION customers_own_kept();
CREATE TRIGGER customers_own_deleted AFTER DELETE ON customers FOR EACH ROW WHEN (OLD.own IS NOT NULL)
  EXECUTE FUNCTION customers_own_kept();
ALTER TABLE customers ENABLE ALWAYS TRIGGER customers_own_inserted, ENABLE ALWAYS TRIGGER customers_own_updated,
  ENABLE ALWAYS TRIGGER customers_own_deleted;
ALTER TABLE tasks ADD COLUMN own text COLLATE "C";
CREATE TABLE tasks_own (
  field text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (field, value, id)
);
CREATE FUNCTION tasks_own_kept() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.own IS NOT NULL THEN
      DELETE FROM tasks_own USING json_each(OLD.own::json) AS was
      WHERE tasks_own.field = was.key AND tasks_own.value = own_index_value(was.value) AND tasks_own.id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.own IS NOT NULL THEN
      INSERT INTO tasks_own SELECT field, own_index_value(value), NEW.id
      FROM json_each(NEW.own::json) JOIN own_indexes ON key = field AND on_table = 'tasks' ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
$$;
CREATE TRIGGER tasks_own_inserted AFTER INSERT ON tasks FOR EACH ROW WHEN (NEW.own IS NOT NULL)
  EXECUTE FUNCTION tasks_own_kept();
CREATE TRIGGER tasks_own_updated AFTER UPDATE ON tasks FOR EACH ROW WHEN (OLD.own IS DISTINCT FROM NEW.own)
  EXECUTE FUNCTION tasks_own_kept();
CREATE TRIGGER tasks_own_deleted AFTER DELETE ON tasks FOR EACH ROW WHEN (OLD.own IS NOT NULL)
  EXECUTE FUNCTION tasks_own_kept();
ALTER TABLE tasks ENABLE ALWAYS TRIGGER tasks_own_inserted, ENABLE ALWAYS TRIGGER tasks_own_updated,
  ENABLE ALWAYS TRIGGER tasks_own_deleted;
