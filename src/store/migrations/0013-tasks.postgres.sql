CREATE TABLE tasks (
  id text COLLATE "C" PRIMARY KEY,
  title text COLLATE "C" NOT NULL,
  deal_id text COLLATE "C" REFERENCES deals (id),
  customer_id bigint REFERENCES customers (id),
  assignee text COLLATE "C",
  due_on text COLLATE "C",
  due_at text COLLATE "C",
  note text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  doc text COLLATE "C" NOT NULL,
  previous_at text COLLATE "C",
  folded text COLLATE "C"
);
CREATE INDEX tasks_due_on ON tasks (due_on, id);
CREATE INDEX tasks_due_on_none ON tasks (id) WHERE due_on IS NULL;
CREATE INDEX tasks_created_at ON tasks (created_at, id);
CREATE INDEX tasks_deal ON tasks (deal_id, id) WHERE deal_id IS NOT NULL;
CREATE INDEX tasks_customer ON tasks (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX tasks_assignee ON tasks (assignee, id) WHERE assignee IS NOT NULL;
CREATE INDEX events_task_deleted ON events (subject) WHERE type = 'task.deleted';
