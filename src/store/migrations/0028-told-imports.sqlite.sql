-- What an event has told of an import, so that one that goes on after its process died tells the rest.
ALTER TABLE imports ADD COLUMN told_inserted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN told_updated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN told_unchanged INTEGER NOT NULL DEFAULT 0;
