-- The latest commands are found in it.
CREATE INDEX commands_decided_at ON commands (decided_at, id);
