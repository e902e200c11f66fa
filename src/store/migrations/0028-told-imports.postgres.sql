-- What an event has told of an import, so that one that goes on after its process died tells the rest.
ALTER TABLE imports
  ADD COLUMN told_inserted bigint NOT NULL DEFAULT 0,
  ADD COLUMN told_updated bigint NOT NULL DEFAULT 0,
  ADD COLUMN told_unchanged bigint NOT NULL DEFAULT 0;
