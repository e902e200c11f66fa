-- Page numbers pass over rows in it: the table's own rows are wide.
CREATE INDEX customers_id ON customers (id);
