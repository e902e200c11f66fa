-- An index on a field and the key is read in either direction. decisions/0004
DROP INDEX customers_name_down;
DROP INDEX customers_age_down;
DROP INDEX customers_children_down;
DROP INDEX customers_created_at_down;
DROP INDEX deals_name_down;
DROP INDEX deals_price_down;
DROP INDEX deals_completion_date_down;
DROP INDEX deals_created_at_down;
DROP INDEX deals_updated_at_down;
