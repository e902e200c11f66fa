/** Each entry is one version of the schema. Released entries are never edited; new ones are appended. */
export const migrations: readonly string[] = [
  `
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
  `,
  `
  CREATE TABLE credentials (
    name TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'key')),
    role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL,
    url TEXT NOT NULL,
    types TEXT,
    status TEXT NOT NULL,
    ended_at TEXT,
    ended_because TEXT,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_until TEXT,
    cursor INTEGER NOT NULL,
    last_number INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE removed_webhooks (id TEXT PRIMARY KEY NOT NULL) STRICT;

  -- next_try_at is null while an earlier delivery of the same deal is pending.
  CREATE TABLE deliveries (
    webhook_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    deal_id TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    next_try_at TEXT,
    claimed_until TEXT,
    claimed_by TEXT,
    last_try_at TEXT,
    response_status INTEGER,
    duration INTEGER,
    answer TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    PRIMARY KEY (webhook_id, number)
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (webhook_id, next_try_at) WHERE status = 'pending';
  CREATE INDEX deliveries_waiting ON deliveries (webhook_id, deal_id, number) WHERE status = 'pending';
  CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;
  `,
  // An index on a field and the key is read in either direction. decisions/0004
  `
  DROP INDEX customers_name_down;
  DROP INDEX customers_age_down;
  DROP INDEX customers_children_down;
  DROP INDEX customers_created_at_down;
  DROP INDEX deals_name_down;
  DROP INDEX deals_price_down;
  DROP INDEX deals_completion_date_down;
  DROP INDEX deals_created_at_down;
  DROP INDEX deals_updated_at_down;
  `,
  `
  -- When the row came into the state before: a date cannot tell the states of one second apart.
  ALTER TABLE deals ADD COLUMN previous_at TEXT;
  ALTER TABLE customers ADD COLUMN previous_at TEXT;
  `,
  `
  -- Amounts were whole cents; some currencies have three decimals. The columns get new names, so that an instance
  -- of an earlier release fails instead of writing cents. Documents, events and commands keep decimals.
  DROP INDEX deals_price;
  ALTER TABLE deals RENAME COLUMN price TO price_thousandths;
  ALTER TABLE deals RENAME COLUMN amercement TO amercement_thousandths;
  ALTER TABLE deals RENAME COLUMN paid TO paid_thousandths;
  UPDATE deals SET price_thousandths = price_thousandths * 10,
    amercement_thousandths = amercement_thousandths * 10, paid_thousandths = paid_thousandths * 10;
  CREATE INDEX deals_price ON deals (price_thousandths, id);
  `,
  `
  CREATE INDEX deliveries_claimed ON deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
  `,
  `
  -- Customers have events and commands too: both name the resource and the thing they are about.
  ALTER TABLE events RENAME COLUMN deal_id TO subject;
  ALTER TABLE events RENAME COLUMN deal TO doc;
  ALTER TABLE events ADD COLUMN resource TEXT NOT NULL DEFAULT 'deal';
  ALTER TABLE commands RENAME COLUMN deal_id TO subject;
  ALTER TABLE commands ADD COLUMN resource TEXT NOT NULL DEFAULT 'deal';
  -- What a command left behind where no event tells it.
  ALTER TABLE commands ADD COLUMN doc TEXT;
  ALTER TABLE deliveries RENAME COLUMN deal_id TO subject;

  ALTER TABLE customers ADD COLUMN company TEXT;
  ALTER TABLE customers ADD COLUMN phone TEXT;
  -- In a JSON string quotes are escaped, so this text is found once: between the members.
  UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"company":null,"phone":null,"createdAt":');
  `,
  `
  -- Webhooks without types were made when deals alone had events, and keep to those.
  UPDATE webhooks SET types = '["deal.*"]', doc = replace(doc, ',"types":null,', ',"types":["deal.*"],')
  WHERE types IS NULL;

  -- A purge looks for these.
  CREATE INDEX events_customer_deleted ON events (subject) WHERE type = 'customer.deleted';
  `,
  `
  -- Texts that SQL cannot fold by itself, as a JSON object of fields. decisions/0029
  ALTER TABLE customers ADD COLUMN folded TEXT;
  ALTER TABLE deals ADD COLUMN folded TEXT;
  `,
  `
  -- Users and keys, which were credentials, are kept apart; they share one set of names, the actors of events.
  CREATE TABLE actors (name TEXT PRIMARY KEY NOT NULL) STRICT;
  CREATE TABLE users (
    name TEXT PRIMARY KEY NOT NULL,
    full_name TEXT,
    email TEXT,
    role TEXT NOT NULL,
    locale TEXT,
    time_zone TEXT,
    disabled INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    last_seen_at TEXT,
    previous_at TEXT,
    doc TEXT NOT NULL,
    person TEXT NOT NULL
  ) STRICT;
  CREATE TABLE passwords (user_name TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE keys (
    name TEXT PRIMARY KEY NOT NULL,
    user_name TEXT,
    role TEXT NOT NULL,
    ends_at TEXT,
    created_at TEXT NOT NULL,
    doc TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX keys_user ON keys (user_name, name) WHERE user_name IS NOT NULL;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL,
    client TEXT,
    address TEXT,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    doc TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX sessions_user ON sessions (user_name, id);
  CREATE TABLE invitations (
    hash TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE audit (
    id TEXT PRIMARY KEY NOT NULL,
    at TEXT NOT NULL,
    event TEXT NOT NULL,
    actor TEXT,
    user_name TEXT,
    key_name TEXT,
    address TEXT,
    detail TEXT,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_user ON audit (user_name, id) WHERE user_name IS NOT NULL;

  INSERT INTO actors SELECT name FROM credentials;
  INSERT INTO users SELECT name, NULL, NULL, role, NULL, NULL, 0, created_at, created_at, 1, NULL, NULL,
    '{"name":' || json_quote(name) || ',"fullName":null,"email":null,"role":"' || role
      || '","locale":null,"timeZone":null,"disabled":false,"createdAt":"' || created_at
      || '","updatedAt":"' || created_at || '","revision":1}',
    '{"name":' || json_quote(name) || ',"fullName":null}'
    FROM credentials WHERE kind = 'user';
  INSERT INTO passwords SELECT name, hash FROM credentials WHERE kind = 'user';
  INSERT INTO keys SELECT name, NULL, role, NULL, created_at,
    '{"name":' || json_quote(name) || ',"user":null,"role":"' || role || '","endsAt":null,"createdAt":"'
      || created_at || '"}', hash
    FROM credentials WHERE kind = 'key';
  DROP TABLE credentials;
  `,
  `
  CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_name TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT;
  CREATE INDEX identities_user ON identities (user_name);
  `,
  `
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
  `,
  `
  CREATE TABLE rates (
    id TEXT PRIMARY KEY NOT NULL,
    currency TEXT NOT NULL,
    per_unit_e8 INTEGER NOT NULL,
    since TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL,
    previous_at TEXT,
    folded TEXT
  ) STRICT;
  CREATE INDEX rates_since ON rates (since, id);
  CREATE INDEX rates_currency ON rates (currency, id);
  CREATE INDEX events_rate_deleted ON events (subject) WHERE type = 'rate.deleted';
  `,
  `
  CREATE TABLE kept_forms (
    hash TEXT PRIMARY KEY NOT NULL,
    address TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    sealed TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Of the events up to this place only the creation and the last state of each thing are left. No row: none is missing.
  CREATE TABLE trimmed_feed (upto INTEGER NOT NULL) STRICT;
  CREATE TABLE trimmed_histories (subject TEXT PRIMARY KEY NOT NULL, events INTEGER NOT NULL) STRICT;
  -- Searches of text find rows by their rowid.
  CREATE VIEW feed AS SELECT *, sequence AS rowid FROM events
    WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
  `,
  `
  -- What an event or a command tells of a private thing is for one user.
  ALTER TABLE events ADD COLUMN private_to TEXT;
  ALTER TABLE commands ADD COLUMN private_to TEXT;
  CREATE TABLE views (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    collection TEXT NOT NULL,
    query TEXT NOT NULL,
    shared INTEGER NOT NULL,
    owner TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL,
    previous_at TEXT,
    folded TEXT
  ) STRICT;
  CREATE INDEX views_name ON views (name, id);
  CREATE INDEX views_owner ON views (owner, id) WHERE owner IS NOT NULL;
  CREATE INDEX events_view_deleted ON events (subject) WHERE type = 'view.deleted';
  `,
  `
  -- The hash of the secret in the address of a user's calendar.
  CREATE TABLE calendars (
    user_name TEXT PRIMARY KEY NOT NULL,
    hash TEXT NOT NULL UNIQUE
  ) STRICT;
  `,
  `
  -- Page numbers pass over rows in it: the table's own rows are wide.
  CREATE INDEX customers_id ON customers (id);
  `,
  `
  -- How long each deal was in a stage and a status, kept with the events that tell so. A copy brings the periods before
  -- the events, which then change nothing. decisions/0050
  CREATE TABLE periods (
    id TEXT PRIMARY KEY NOT NULL,
    deal_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    stage TEXT NOT NULL,
    status TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT,
    seconds INTEGER
  ) STRICT;
  CREATE INDEX periods_deal ON periods (deal_id, id);
  CREATE TRIGGER periods_from_events AFTER INSERT ON events
  WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
    UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
      WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
        AND (stage <> new.doc ->> 'stage' OR status <> new.doc ->> 'status');
    INSERT INTO periods (id, deal_id, revision, stage, status, since)
      SELECT new.subject || '.' || new.revision, new.subject, new.revision, new.doc ->> 'stage', new.doc ->> 'status', new.at
      WHERE NOT EXISTS (SELECT 1 FROM periods WHERE deal_id = new.subject AND until IS NULL);
  END;
  CREATE TRIGGER periods_of_purged AFTER DELETE ON deals BEGIN
    DELETE FROM periods WHERE deal_id = old.id;
  END;
  INSERT INTO periods (id, deal_id, revision, stage, status, since, until, seconds)
    SELECT subject || '.' || revision, subject, revision, stage, status, at, left_at, unixepoch(left_at) - unixepoch(at) FROM (
      SELECT subject, revision, stage, status, at, lead(at) OVER (PARTITION BY subject ORDER BY revision) AS left_at FROM (
        SELECT subject, revision, doc ->> 'stage' AS stage, doc ->> 'status' AS status, at,
          lag((doc ->> 'stage') || (doc ->> 'status')) OVER (PARTITION BY subject ORDER BY revision) AS before
        FROM events WHERE resource = 'deal' AND operation IN ('create', 'move', 'complete', 'cancel', 'reopen')
      ) WHERE before IS NULL OR before <> stage || status
    ) WHERE EXISTS (SELECT 1 FROM deals WHERE deals.id = subject);
  `,
  `
  -- Files that people have uploaded to import them.
  CREATE TABLE imports (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    resource TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    stage TEXT NOT NULL,
    matching TEXT,
    upto INTEGER NOT NULL,
    position INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    fault TEXT,
    claimed_by TEXT,
    claimed_until TEXT
  ) STRICT;
  CREATE TABLE import_pieces (
    import_id TEXT NOT NULL,
    part TEXT NOT NULL,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (import_id, part, number)
  ) STRICT;
  `,
  `
  -- The board: the deals of a stage, latest change first.
  CREATE INDEX deals_stage ON deals (status, stage, updated_at, id);
  -- The home: the open deals that are overdue or due soon.
  CREATE INDEX deals_due ON deals (status, completion_date, id);
  `,
  `
  -- The tries before the last one, as JSON texts with commas between, and how a receiver does.
  ALTER TABLE deliveries ADD COLUMN tries TEXT;
  ALTER TABLE webhooks ADD COLUMN failing_since TEXT;
  ALTER TABLE webhooks ADD COLUMN last_error TEXT;
  ALTER TABLE webhooks ADD COLUMN delivered_at TEXT;
  `,
  `
  -- Who did what in some days is counted in the first: the table's own rows are wide. The latest commands are found in
  -- the second.
  CREATE INDEX events_at ON events (at, actor, type, private_to);
  CREATE INDEX commands_decided_at ON commands (decided_at, id);
  `,
  `
  -- The same periods, without the temporary table that a SELECT from the table itself takes: where a period is open, the
  -- new row has its id and is left out.
  DROP TRIGGER periods_from_events;
  CREATE TRIGGER periods_from_events AFTER INSERT ON events
  WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
    UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
      WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
        AND (stage <> new.doc ->> 'stage' OR status <> new.doc ->> 'status');
    INSERT INTO periods (id, deal_id, revision, stage, status, since) VALUES (
      coalesce((SELECT id FROM periods WHERE deal_id = new.subject AND until IS NULL), new.subject || '.' || new.revision),
      new.subject, new.revision, new.doc ->> 'stage', new.doc ->> 'status', new.at
    ) ON CONFLICT (id) DO NOTHING;
  END;
  `,
  `
  -- Of the thing that it left behind an event keeps all, or only the members that it changed, without braces: the others
  -- are as the event before left them. Every 16th keeps all. The view gives what the events since then keep, each with a
  -- separator behind it, which JSON cannot contain. It makes the body of the columns; an earlier release kept the whole
  -- body, in the column that now has the params: its instances fail instead of telling parts. decisions/0052
  DROP TRIGGER periods_from_events;
  DROP VIEW feed;
  ALTER TABLE events RENAME COLUMN body TO params;
  CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, resource, subject, revision, type, operation, action,
    actor, form, command_id, at, private_to,
    CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
      || ',"actor":' || json_quote(actor) || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
    ELSE params END AS body,
    CASE WHEN doc LIKE '{%' THEN doc ELSE (
      SELECT group_concat(told.doc || char(30), '' ORDER BY told.revision) FROM events AS told
      WHERE told.subject = events.subject
        AND told.revision BETWEEN events.revision - events.revision % 16 AND events.revision
    ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
  FROM events;
  CREATE VIEW feed AS SELECT * FROM told_events
    WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
  CREATE TRIGGER periods_from_events AFTER INSERT ON events
  WHEN new.resource = 'deal' AND new.operation IN ('create', 'move', 'complete', 'cancel', 'reopen') BEGIN
    UPDATE periods SET until = new.at, seconds = unixepoch(new.at) - unixepoch(since)
      WHERE deal_id = new.subject AND revision < new.revision AND until IS NULL
        AND (stage <> coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'stage', stage)
          OR status <> coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'status', status));
    INSERT INTO periods (id, deal_id, revision, stage, status, since) VALUES (
      coalesce((SELECT id FROM periods WHERE deal_id = new.subject AND until IS NULL), new.subject || '.' || new.revision),
      new.subject, new.revision,
      coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'stage',
        (SELECT stage FROM periods WHERE deal_id = new.subject ORDER BY revision DESC LIMIT 1)),
      coalesce(iif(new.doc LIKE '{%', new.doc, '{' || new.doc || '}') ->> 'status',
        (SELECT status FROM periods WHERE deal_id = new.subject ORDER BY revision DESC LIMIT 1)),
      new.at
    ) ON CONFLICT (id) DO NOTHING;
  END;
  `,
  `
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
  `,
  `
  -- What an event has told of an import, so that one that goes on after its process died tells the rest.
  ALTER TABLE imports ADD COLUMN told_inserted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE imports ADD COLUMN told_updated INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE imports ADD COLUMN told_unchanged INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- An invitation belongs to one user and ends with them: it can never be that of a later user of the same name.
  CREATE TABLE invitations_of_users (
    hash TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL UNIQUE REFERENCES users (name) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT;
  INSERT INTO invitations_of_users SELECT invitations.* FROM invitations
    JOIN users ON users.name = invitations.user_name AND users.created_at <= invitations.created_at;
  DROP TABLE invitations;
  ALTER TABLE invitations_of_users RENAME TO invitations;
  `,
  `
  -- The actor of an event is the user; the key with which a program did it stands beside it. The name of a key is free
  -- within its user, and only users and keys that belong to nobody share one set of names.
  ALTER TABLE audit ADD COLUMN actor_key TEXT;
  UPDATE audit SET doc = replace(doc, ',"user":', ',"actorKey":null,"user":');
  DELETE FROM actors WHERE name IN (SELECT name FROM keys WHERE user_name IS NOT NULL);
  CREATE TABLE keys_of_users (
    name TEXT NOT NULL,
    user_name TEXT,
    role TEXT NOT NULL,
    ends_at TEXT,
    created_at TEXT NOT NULL,
    doc TEXT NOT NULL,
    hash TEXT PRIMARY KEY NOT NULL
  ) STRICT;
  INSERT INTO keys_of_users SELECT name, user_name, role, ends_at, created_at, doc, hash FROM keys;
  DROP TABLE keys;
  ALTER TABLE keys_of_users RENAME TO keys;
  CREATE UNIQUE INDEX keys_user ON keys (user_name, name);
  ALTER TABLE events ADD COLUMN key_name TEXT;
  DROP VIEW feed;
  DROP VIEW told_events;
  CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, resource, subject, revision, type, operation, action,
    actor, key_name, form, command_id, at, private_to,
    CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
      || ',"actor":' || json_quote(actor) || CASE WHEN key_name IS NULL THEN '' ELSE ',"key":' || json_quote(key_name) END
      || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
    ELSE params END AS body,
    CASE WHEN doc LIKE '{%' THEN doc ELSE (
      SELECT group_concat(told.doc || char(30), '' ORDER BY told.revision) FROM events AS told
      WHERE told.subject = events.subject
        AND told.revision BETWEEN events.revision - events.revision % 16 AND events.revision
    ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
  FROM events;
  CREATE VIEW feed AS SELECT * FROM told_events
    WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0);
  `,
  `
  -- The code by which the first admin is made, one for all instances.
  CREATE TABLE set_up_code (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    tries INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- When the person of a session last showed who they are; not known of those who were signed in at a provider already.
  ALTER TABLE sessions ADD COLUMN signed_in_at TEXT;
  `,
  `
  -- Webhooks with conditions, which can be paused.
  ALTER TABLE webhooks ADD COLUMN condition TEXT;
  ALTER TABLE webhooks ADD COLUMN changed TEXT;
  ALTER TABLE webhooks ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE webhooks ADD COLUMN owner TEXT;
  UPDATE webhooks SET doc =
    replace(doc, ',"status":', ',"where":null,"changed":null,"paused":false,"owner":null,"status":');
  `,
  `
  -- Who asked for what is for developers, and who was invited but never signed in.
  ALTER TABLE users ADD COLUMN developer INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE users ADD COLUMN invited INTEGER NOT NULL DEFAULT 1;
  UPDATE users SET invited = last_seen_at IS NULL,
    doc = replace(doc, ',"createdAt":', ',"developer":false,"createdAt":');
  `,
  `
  -- A note has a kind and an instant; an earlier one is a plain note of its time. In JSON no text contains the beginning
  -- of a member that is searched for here: its quotes are escaped.
  UPDATE events SET params = CASE WHEN params LIKE '{%'
      THEN substr(params, 1, length(params) - 1) || ',"kind":"note","happenedAt":"' || at || '"}'
      ELSE replace(params, '},"revision":', ',"kind":"note","happenedAt":"' || at || '"},"revision":') END
    WHERE operation = 'add-note' AND params <> '{}';
  CREATE INDEX events_notes ON events (subject) WHERE operation = 'add-note';
  `,
  `
  -- Since when a deal is in its stage, or closed: the beginning of its last period. The board is in this order, which only
  -- a move changes.
  ALTER TABLE deals ADD COLUMN stage_since TEXT;
  ALTER TABLE deals ADD COLUMN closed_at TEXT;
  DROP INDEX deals_stage;
  -- Rare sorts, each of which made a creation write a page of its index: they read all deals, in a separate thread.
  DROP INDEX deals_name;
  DROP INDEX deals_price;
  UPDATE deals SET stage_since = iif(deals.status = 'open', since, NULL), closed_at = iif(deals.status = 'open', NULL, since)
    FROM periods WHERE periods.deal_id = deals.id AND until IS NULL;
  CREATE INDEX deals_stage ON deals (status, stage, stage_since, id);
  `,
  `
  -- The id of a thing in another system, unique where there is one. decisions/0058
  ALTER TABLE deals ADD COLUMN reference TEXT;
  ALTER TABLE customers ADD COLUMN reference TEXT;
  ALTER TABLE tasks ADD COLUMN reference TEXT;
  UPDATE deals SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
  UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"reference":null,"createdAt":');
  UPDATE tasks SET doc = replace(doc, ',"status":', ',"reference":null,"status":');
  -- An import kept the reference of a row in the id of its command, with the bytes of other characters as hex digits.
  -- That of a row without one was made of the upload's id and the line.
  CREATE TABLE imported_references AS
  WITH RECURSIVE imported (resource, subject, encoded) AS (
    SELECT resource, subject, substr(id, length('import-' || resource || '-') + 1) FROM commands
    WHERE id GLOB 'import-' || resource || '-*' AND action IN ('CreateDeal', 'CreateTask') AND status = 'applied'
  ),
  decoded (resource, subject, rest, hex) AS (
    SELECT resource, subject, encoded, '' FROM imported
    WHERE encoded NOT GLOB replace('HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH-[0-9]*', 'H', '[0-9a-f]')
      OR substr(encoded, 38) GLOB '*[^0-9]*'
    UNION ALL SELECT resource, subject, substr(rest, iif(rest LIKE '~%', 4, 2)),
      hex || iif(rest LIKE '~%', substr(rest, 2, 2), hex(substr(rest, 1, 1)))
    FROM decoded WHERE rest <> ''
  )
  SELECT resource, subject, CAST(unhex(hex) AS TEXT) AS reference FROM decoded WHERE rest = '';
  UPDATE deals SET reference = imported.reference,
    doc = replace(doc, ',"reference":null,', ',"reference":' || json_quote(imported.reference) || ',')
    FROM imported_references AS imported WHERE imported.resource = 'deal' AND subject = deals.id;
  UPDATE tasks SET reference = imported.reference,
    doc = replace(doc, ',"reference":null,', ',"reference":' || json_quote(imported.reference) || ',')
    FROM imported_references AS imported WHERE imported.resource = 'task' AND subject = tasks.id;
  DROP TABLE imported_references;
  CREATE UNIQUE INDEX deals_reference ON deals (reference) WHERE reference IS NOT NULL;
  CREATE UNIQUE INDEX customers_reference ON customers (reference) WHERE reference IS NOT NULL;
  CREATE UNIQUE INDEX tasks_reference ON tasks (reference) WHERE reference IS NOT NULL;
  `,
  `
  -- What an import did, so that it can be undone. An event names its import; customers, of which an import records no
  -- events, are in a table: those that it made, and the others as they were before. Each restored thing has an event of
  -- its own for its history, but the feed tells once that an import was undone.
  ALTER TABLE events ADD COLUMN import_id TEXT;
  CREATE INDEX events_import ON events (import_id, resource, subject, revision) WHERE import_id IS NOT NULL;
  CREATE TABLE import_changes (
    import_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    subject TEXT NOT NULL,
    first INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    before TEXT,
    PRIMARY KEY (import_id, resource, subject)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE imports ADD COLUMN found TEXT;
  UPDATE imports SET stage = 'checking' WHERE stage = 'matching';
  UPDATE imports SET stage = 'ready' WHERE stage = 'checked';
  -- Imports as everybody sees them: one whose run has ended without a word has failed.
  CREATE VIEW listed_imports AS SELECT rowid AS rowid, id, resource, name, size,
    CASE WHEN stage IN ('uploading', 'checking', 'importing') AND coalesce(claimed_until, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN 'failed'
      WHEN stage = 'uploading' THEN 'checking' ELSE stage END AS stage,
    CASE WHEN stage IN ('uploading', 'checking', 'importing') THEN stage END AS work,
    (claimed_until IS NOT NULL AND claimed_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) AS is_running,
    inserted, updated, unchanged, rejected, created_at, nullif(trim(owner), '') AS owner, fault, found,
    matching, upto, position, ends_at
  FROM imports WHERE ends_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
  DROP VIEW feed;
  CREATE VIEW feed AS SELECT * FROM told_events
    WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0)
      AND NOT (type = 'import.undone' AND resource <> 'import');
  `,
  `
  -- Rows are numbered in the order of their ids, and every index ends with the number of the row: none needs the id.
  DROP INDEX deals_completion_date;
  DROP INDEX deals_created_at;
  DROP INDEX deals_updated_at;
  DROP INDEX deals_customer;
  DROP INDEX deals_owner;
  DROP INDEX deals_held;
  DROP INDEX deals_deleted;
  DROP INDEX deals_stage;
  DROP INDEX deals_due;
  CREATE INDEX deals_completion_date ON deals (completion_date);
  CREATE INDEX deals_created_at ON deals (created_at);
  CREATE INDEX deals_updated_at ON deals (updated_at);
  CREATE INDEX deals_customer ON deals (customer_id) WHERE customer_id IS NOT NULL;
  CREATE INDEX deals_owner ON deals (owner) WHERE owner IS NOT NULL;
  CREATE INDEX deals_held ON deals (held) WHERE held = 1;
  CREATE INDEX deals_stage ON deals (status, stage, stage_since);
  CREATE INDEX deals_due ON deals (status, completion_date);
  -- Page numbers pass over it: the table's own rows are wide. It leads to the deleted ones too.
  CREATE INDEX deals_deleted ON deals ((deleted_at IS NOT NULL));
  DROP INDEX tasks_due_on;
  DROP INDEX tasks_created_at;
  DROP INDEX tasks_deal;
  DROP INDEX tasks_customer;
  DROP INDEX tasks_assignee;
  CREATE INDEX tasks_due_on ON tasks (due_on);
  CREATE INDEX tasks_created_at ON tasks (created_at);
  CREATE INDEX tasks_deal ON tasks (deal_id) WHERE deal_id IS NOT NULL;
  CREATE INDEX tasks_customer ON tasks (customer_id) WHERE customer_id IS NOT NULL;
  CREATE INDEX tasks_assignee ON tasks (assignee) WHERE assignee IS NOT NULL;
  DROP INDEX rates_since;
  DROP INDEX rates_currency;
  CREATE INDEX rates_since ON rates (since);
  CREATE INDEX rates_currency ON rates (currency);
  DROP INDEX views_name;
  DROP INDEX views_owner;
  CREATE INDEX views_name ON views (name);
  CREATE INDEX views_owner ON views (owner) WHERE owner IS NOT NULL;
  `,
  `
  -- The unique value that named the thing of a command, and whether the thing was created with it: a repeat names it so.
  ALTER TABLE commands ADD COLUMN named TEXT;
  `,
  `
  CREATE TABLE targets (
    id TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL,
    from_day TEXT NOT NULL,
    to_day TEXT NOT NULL,
    amount_thousandths INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL,
    previous_at TEXT,
    folded TEXT
  ) STRICT;
  CREATE INDEX targets_from ON targets (from_day);
  CREATE INDEX targets_user ON targets (user_name);
  CREATE INDEX events_target_deleted ON events (subject) WHERE type = 'target.deleted';
  `,
  `
  -- Fields that admins add. The schema is made of them; its version is in a row that comes with the first change.
  CREATE TABLE fields (
    id TEXT PRIMARY KEY NOT NULL,
    on_ TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    titles TEXT NOT NULL,
    kind TEXT NOT NULL,
    options TEXT NOT NULL,
    required INTEGER NOT NULL,
    unique_ INTEGER NOT NULL,
    indexed_ INTEGER NOT NULL,
    searched INTEGER NOT NULL,
    help TEXT,
    retired_at TEXT,
    state TEXT NOT NULL,
    repeats TEXT,
    replace_by TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL,
    previous_at TEXT,
    folded TEXT
  ) STRICT;
  CREATE TABLE model (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    changed_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Each event leads to the one before it of the same thing, whose row leads to the last one: an index of all subjects
  -- made every change write a page of its own. It has every 16th event, and those that nothing else leads to: the last
  -- ones of removed things and of imports, and what a trim has left. decisions/0060
  ALTER TABLE customers ADD COLUMN last_event INTEGER;
  ALTER TABLE deals ADD COLUMN last_event INTEGER;
  ALTER TABLE tasks ADD COLUMN last_event INTEGER;
  ALTER TABLE rates ADD COLUMN last_event INTEGER;
  ALTER TABLE views ADD COLUMN last_event INTEGER;
  ALTER TABLE targets ADD COLUMN last_event INTEGER;
  ALTER TABLE fields ADD COLUMN last_event INTEGER;
  CREATE TEMP TABLE links (sequence INTEGER PRIMARY KEY, previous INTEGER, is_last INTEGER NOT NULL);
  INSERT INTO temp.links SELECT sequence, lag(sequence) OVER own, lead(sequence) OVER own IS NULL
    FROM events WINDOW own AS (PARTITION BY subject ORDER BY revision);
  CREATE TEMP TABLE lasts AS SELECT sequence, resource, subject FROM temp.links CROSS JOIN events USING (sequence)
    WHERE is_last;
  UPDATE customers SET last_event = sequence FROM temp.lasts WHERE resource = 'customer'
    AND CAST(CAST(subject AS INTEGER) AS TEXT) = subject AND customers.id = CAST(subject AS INTEGER);
  UPDATE deals SET last_event = sequence FROM temp.lasts WHERE resource = 'deal' AND deals.id = subject;
  UPDATE tasks SET last_event = sequence FROM temp.lasts WHERE resource = 'task' AND tasks.id = subject;
  UPDATE rates SET last_event = sequence FROM temp.lasts WHERE resource = 'rate' AND rates.id = subject;
  UPDATE views SET last_event = sequence FROM temp.lasts WHERE resource = 'view' AND views.id = subject;
  UPDATE targets SET last_event = sequence FROM temp.lasts WHERE resource = 'target' AND targets.id = subject;
  UPDATE fields SET last_event = sequence FROM temp.lasts WHERE resource = 'field' AND fields.id = subject;
  DROP TABLE temp.lasts;
  UPDATE temp.links SET is_last = 0 WHERE is_last AND sequence IN (
    SELECT last_event FROM customers UNION ALL SELECT last_event FROM deals UNION ALL SELECT last_event FROM tasks
    UNION ALL SELECT last_event FROM rates UNION ALL SELECT last_event FROM views
    UNION ALL SELECT last_event FROM targets UNION ALL SELECT last_event FROM fields);
  DROP VIEW feed;
  DROP VIEW told_events;
  CREATE TABLE linked_events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    revision INTEGER NOT NULL,
    type TEXT NOT NULL,
    operation TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT,
    form TEXT NOT NULL,
    command_id TEXT,
    at TEXT NOT NULL,
    params TEXT NOT NULL,
    doc TEXT NOT NULL,
    resource TEXT NOT NULL DEFAULT 'deal',
    private_to TEXT,
    key_name TEXT,
    import_id TEXT,
    previous INTEGER,
    milestone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO linked_events SELECT sequence, subject, revision, type, operation, action, actor, form, command_id, at,
      params, doc, resource, private_to, key_name, import_id, previous,
      is_last OR revision % 16 = 0 OR type = 'import.undone'
        OR sequence <= coalesce((SELECT max(upto) FROM trimmed_feed), 0)
    FROM events CROSS JOIN temp.links USING (sequence) ORDER BY sequence;
  DROP TABLE temp.links;
  DELETE FROM sqlite_sequence WHERE name = 'linked_events';
  INSERT INTO sqlite_sequence (name, seq) SELECT 'linked_events', seq FROM sqlite_sequence WHERE name = 'events';
  DROP TABLE events;
  ALTER TABLE linked_events RENAME TO events;
  CREATE UNIQUE INDEX events_milestones ON events (subject, revision) WHERE milestone = 1;
  CREATE INDEX events_customer_deleted ON events (subject) WHERE type = 'customer.deleted';
  CREATE INDEX events_task_deleted ON events (subject) WHERE type = 'task.deleted';
  CREATE INDEX events_rate_deleted ON events (subject) WHERE type = 'rate.deleted';
  CREATE INDEX events_view_deleted ON events (subject) WHERE type = 'view.deleted';
  CREATE INDEX events_target_deleted ON events (subject) WHERE type = 'target.deleted';
  CREATE INDEX events_at ON events (at, actor, type, private_to);
  CREATE INDEX events_notes ON events (subject) WHERE operation = 'add-note';
  CREATE INDEX events_import ON events (import_id, resource, subject, revision) WHERE import_id IS NOT NULL;
  CREATE VIEW told_events AS SELECT sequence, sequence AS rowid, previous, resource, subject, revision, type, operation,
    action, actor, key_name, form, command_id, at, private_to,
    CASE WHEN params LIKE '{%' THEN '"operation":"' || operation || '","params":' || params || ',"revision":' || revision
      || ',"actor":' || json_quote(actor) || CASE WHEN key_name IS NULL THEN '' ELSE ',"key":' || json_quote(key_name) END
      || ',"form":"' || form || '"' || coalesce(',"commandId":"' || command_id || '"', '')
    ELSE params END AS body,
    CASE WHEN doc LIKE '{%' THEN doc ELSE (
      WITH RECURSIVE told (doc, previous, revision) AS (
        SELECT events.doc, events.previous, events.revision
        UNION ALL SELECT earlier.doc, earlier.previous, earlier.revision
          FROM told CROSS JOIN events AS earlier ON earlier.sequence = told.previous WHERE told.doc NOT LIKE '{%'
      ) SELECT group_concat(doc || char(30), '' ORDER BY revision) FROM told
    ) || '"updatedAt":"' || at || '","revision":' || revision || char(30) END AS doc
  FROM events;
  CREATE VIEW feed AS SELECT * FROM told_events
    WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), 0)
      AND NOT (type = 'import.undone' AND resource <> 'import');
  `,
  `
  -- The pipeline of a deal, and of each period: its stage is one of that pipeline's.
  ALTER TABLE deals ADD COLUMN pipeline TEXT NOT NULL DEFAULT 'sales';
  UPDATE deals SET doc = replace(doc, ',"stage":', ',"pipeline":"sales","stage":');
  ALTER TABLE periods ADD COLUMN pipeline TEXT NOT NULL DEFAULT 'sales';
  DROP INDEX deals_stage;
  CREATE INDEX deals_stage ON deals (status, pipeline, stage, stage_since);
  `,
  `
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
  `,
  `
  -- The pipelines of deals. The schema is made of them too; the first one has the stages that there were before.
  CREATE TABLE pipelines (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    position INTEGER NOT NULL,
    default_ INTEGER NOT NULL,
    stages TEXT NOT NULL,
    lost_reasons TEXT NOT NULL,
    closing INTEGER NOT NULL,
    move_to TEXT,
    successor TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL,
    doc TEXT NOT NULL,
    previous_at TEXT,
    folded TEXT,
    last_event INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX pipelines_name ON pipelines (name);
  CREATE INDEX events_pipeline_deleted ON events (subject) WHERE type = 'pipeline.deleted';
  INSERT INTO pipelines (id, name, title, position, default_, stages, lost_reasons, closing, created_at, updated_at,
      revision, doc)
    SELECT '00000000-0000-7000-8000-000000000001', 'sales', 'Sales', 0, 1, stages, '[]', 0, now, now, 1,
      '{"id":"00000000-0000-7000-8000-000000000001","name":"sales","title":"Sales","position":0,"default":true,"stages":' || stages || ',"lostReasons":[],"closing":false,"moveTo":null,"successor":null,"createdAt":"' || now || '","updatedAt":"' || now || '","revision":1}'
    FROM (SELECT '2026-01-01T00:00:00.000Z' AS now,
      '[{"name":"lead","title":"Lead","likelihood":10,"requires":[],"staleAfter":null,"closing":false},{"name":"qualified","title":"Qualified","likelihood":25,"requires":[],"staleAfter":null,"closing":false},{"name":"proposal","title":"Proposal","likelihood":50,"requires":[],"staleAfter":null,"closing":false},{"name":"negotiation","title":"Negotiation","likelihood":75,"requires":[],"staleAfter":null,"closing":false},{"name":"contract","title":"Contract","likelihood":90,"requires":[],"staleAfter":null,"closing":false}]' AS stages);
  `,
  `
  -- How far the index of an added field is filled with what things had before, and for which revision of the field.
  ALTER TABLE own_indexes ADD COLUMN build INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE own_indexes ADD COLUMN upto TEXT NOT NULL DEFAULT '0';
  `,
  `
  -- A digest of a command's content as it was sent: a repeat is one whatever the model has become.
  ALTER TABLE commands ADD COLUMN sent_as TEXT;
  `,
  `
  -- Names that users had who were removed, and corrections of persons that are under way.
  CREATE TABLE former_users (name TEXT PRIMARY KEY NOT NULL) STRICT;
  INSERT INTO former_users SELECT DISTINCT user_name FROM audit
    WHERE event = 'user-removed' AND user_name IS NOT NULL AND user_name NOT IN (SELECT name FROM users);
  CREATE TABLE corrections (
    id TEXT PRIMARY KEY NOT NULL,
    held TEXT NOT NULL,
    user_name TEXT,
    actor TEXT,
    key_name TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What values of files mean, as somebody answered, for files with the same headings; without an owner for everybody.
  CREATE TABLE import_answers (
    owner TEXT NOT NULL,
    resource TEXT NOT NULL,
    headings TEXT NOT NULL,
    answers TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (owner, resource, headings)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Fields have a place and a heading: those that there are stay in the order in which they were added.
  ALTER TABLE fields ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE fields ADD COLUMN group_ TEXT;
  UPDATE fields SET position = place FROM (
    SELECT id AS placed, row_number() OVER (PARTITION BY on_ ORDER BY id) - 1 AS place FROM fields
  ) AS places WHERE placed = id;
  UPDATE fields SET doc = replace(doc, tail, ',"position":' || position || ',"group":null' || tail) FROM (
    SELECT id AS told, ',"retiredAt":' || coalesce('"' || retired_at || '"', 'null') || ',"state":' AS tail FROM fields
  ) AS tails WHERE told = id;
  -- Pipelines and stages have titles in languages. A likelihood is a number; the texts are names of stages that move.
  ALTER TABLE pipelines ADD COLUMN titles TEXT NOT NULL DEFAULT '{}';
  UPDATE pipelines SET stages = replace(stages, ',"likelihood":', ',"titles":{},"likelihood":'),
    doc = replace(replace(replace(doc, ',"position":' || position || ',', ',"titles":{},"position":' || position || ','),
      ',"likelihood":', ',"titles":{},"likelihood":'), ',"titles":{},"likelihood":"', ',"likelihood":"');
  `,
  `
  -- The periods that began or ended within some days, for the reports about them. decisions/0050
  CREATE INDEX periods_since ON periods (since);
  CREATE INDEX periods_until ON periods (until) WHERE until IS NOT NULL;
  `,
]
