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
