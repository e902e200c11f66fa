/** Waits for the locks of things, in their order: nobody else changes them until the transaction ends. */
export const AWAIT_TURNS = {
  name: 'await-turns',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended(subject, 0)) FROM unnest($1::text[]) AS subject',
}
