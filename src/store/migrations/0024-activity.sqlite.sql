-- Who did what in some days is counted in the first: the table's own rows are wide. The latest commands are found in
-- the second.
CREATE INDEX events_at ON events (at, actor, type, private_to);
CREATE INDEX commands_decided_at ON commands (decided_at, id);
