-- The board: the deals of a stage, latest change first.
CREATE INDEX deals_stage ON deals (status, stage, updated_at, id);
-- The home: the open deals that are overdue or due soon.
CREATE INDEX deals_due ON deals (status, completion_date, id);
