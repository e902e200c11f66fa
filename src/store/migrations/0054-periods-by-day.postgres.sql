-- The periods that began or ended within some days, for the reports about them. decisions/0050
CREATE INDEX periods_since ON periods (since);
CREATE INDEX periods_until ON periods (until) WHERE until IS NOT NULL;
