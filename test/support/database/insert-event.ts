import type pg from 'pg'

/** An event as another instance writes it, in a transaction that the test ends when it likes. */
export const insertEvent = (client: pg.Client, deal: string, revision: number) =>
  client.query(
    `INSERT INTO events (subject, revision, sequence, type, operation, action, form, at, params, doc)
     SELECT $1, $2, lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0')
       || lpad(nextval('event_numbers')::text, 15, '0'),
       'deal.note-added', 'add-note', 'AddDealNote', 'verb', '2026-01-01T00:00:00.000Z', '{}', '{}'
     FROM feed_generation`,
    [deal, revision],
  )
