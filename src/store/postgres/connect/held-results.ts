import { fewAtOnce } from '../../few-at-once.ts'
import type { SearchOptions } from '../../port/desk.ts'
import type { Select } from '../../select/select.ts'
import type { Row } from './connection.ts'
import type { Pool } from './pool.ts'
import { type CancelStatement, unlessAborted } from './searches.ts'

/** Rows fetched at once. */
const BATCH = 2000

/** The rows of a select that has to compute all of them before the first, in batches. */
export type Results = (select: Select, options?: SearchOptions) => AsyncIterable<readonly Row[]>

/**
 * The server computes the result once and holds it, on its disk if it is large, in a cursor that outlives its
 * transaction: no snapshot stays open, however slowly a client reads. The pool has one connection, which is free
 * between two batches.
 */
export function heldResults(pool: Pool, cancel: CancelStatement): Results {
  let number = 0
  const few = fewAtOnce()
  return (select, options = {}) => few(held(select, options))

  async function* held({ text, values }: Select, { signal }: SearchOptions): AsyncIterable<readonly Row[]> {
    const name = `held_${number++}`
    const declare = { text: `DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}` }
    const session = await pool.use(async (connection) => {
      // The cursor ends with this session.
      const pinned = connection.pinned()
      await unlessAborted(connection, declare, values, signal, cancel)
      return pinned
    }, signal)
    // A few results never fill the pool's queue: each of them gets its turn, also to be closed.
    const ask = (text: string) => pool.use(() => session.query({ text }))
    try {
      for (;;) {
        signal?.throwIfAborted()
        const rows = await ask(`FETCH ${BATCH} FROM ${name}`)
        if (rows.length > 0) yield rows
        if (rows.length < BATCH) return
      }
    } finally {
      await ask(`CLOSE ${name}`).catch(() => {})
    }
  }
}
