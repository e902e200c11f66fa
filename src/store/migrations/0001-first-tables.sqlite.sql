CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT,
  age INTEGER,
  children INTEGER,
  country TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX customers_name ON customers (name);
CREATE INDEX customers_name_down ON customers (name DESC);
CREATE INDEX customers_age ON customers (age);
CREATE INDEX customers_age_down ON customers (age DESC);
CREATE INDEX customers_children ON customers (children);
CREATE INDEX customers_children_down ON customers (children DESC);
CREATE INDEX customers_created_at ON customers (created_at);
CREATE INDEX customers_created_at_down ON customers (created_at DESC);

CREATE TABLE deals (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  price INTEGER NOT NULL,
  currency TEXT NOT NULL,
  customer_id INTEGER REFERENCES customers (id),
  owner TEXT,
  description TEXT NOT NULL,
  stage TEXT NOT NULL,
  completion_date TEXT,
  status TEXT NOT NULL,
  held INTEGER NOT NULL,
  hold_reason TEXT,
  archived INTEGER NOT NULL,
  amercement INTEGER NOT NULL,
  paid INTEGER NOT NULL,
  completed_on TEXT,
  accepted_by TEXT,
  closing_reason TEXT,
  deleted_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX deals_name ON deals (name, id);
CREATE INDEX deals_name_down ON deals (name DESC, id);
CREATE INDEX deals_price ON deals (price, id);
CREATE INDEX deals_price_down ON deals (price DESC, id);
CREATE INDEX deals_completion_date ON deals (completion_date, id);
CREATE INDEX deals_completion_date_down ON deals (completion_date DESC, id);
CREATE INDEX deals_created_at ON deals (created_at, id);
CREATE INDEX deals_created_at_down ON deals (created_at DESC, id);
CREATE INDEX deals_updated_at ON deals (updated_at, id);
CREATE INDEX deals_updated_at_down ON deals (updated_at DESC, id);
CREATE INDEX deals_customer ON deals (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX deals_owner ON deals (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX deals_held ON deals (id) WHERE held = 1;
CREATE INDEX deals_deleted ON deals (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  deal_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  operation TEXT NOT NULL,
  action TEXT NOT NULL,
  actor TEXT,
  form TEXT NOT NULL,
  command_id TEXT,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  deal TEXT NOT NULL,
  UNIQUE (deal_id, revision)
) STRICT;

CREATE TABLE commands (
  id TEXT PRIMARY KEY NOT NULL,
  deal_id TEXT NOT NULL,
  action TEXT NOT NULL,
  params TEXT NOT NULL,
  status TEXT NOT NULL,
  refusal TEXT,
  revision INTEGER NOT NULL,
  decided_at TEXT NOT NULL
) STRICT;
CREATE INDEX commands_deal ON commands (deal_id, id);
