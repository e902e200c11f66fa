CREATE TABLE tasks (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  deal_id TEXT REFERENCES deals (id),
  customer_id INTEGER REFERENCES customers (id),
  assignee TEXT,
  due_on TEXT,
  due_at TEXT,
  note TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  doc TEXT NOT NULL,
  previous_at TEXT,
  folded TEXT
) STRICT;
CREATE INDEX tasks_due_on ON tasks (due_on, id);
CREATE INDEX tasks_created_at ON tasks (created_at, id);
CREATE INDEX tasks_deal ON tasks (deal_id, id) WHERE deal_id IS NOT NULL;
CREATE INDEX tasks_customer ON tasks (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX tasks_assignee ON tasks (assignee, id) WHERE assignee IS NOT NULL;
CREATE INDEX events_task_deleted ON events (subject) WHERE type = 'task.deleted';
