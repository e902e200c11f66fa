import type { SealedForm } from '../../port/accounts.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** Anybody can send a form, so the store limits them: 64 MiB at most, and few of one address. */
const MOST_KEPT = 1000
const MOST_OF_ADDRESS = 50

/** Forms that wait for their senders to come back from the OpenID provider. decisions/0034 */
export function keptFormWork(dialect: SqlDialect) {
  const { TRIM, COUNT, KEEP, TAKE } = statementsIn(dialect, 'kept forms', {
    TRIM: 'DELETE FROM kept_forms WHERE ends_at <= ?1',
    COUNT: 'SELECT count(*), count(CASE WHEN address = ?1 THEN 1 END) FROM kept_forms',
    KEEP: 'INSERT INTO kept_forms (hash, address, ends_at, sealed) VALUES (?1, ?2, ?3, ?4)',
    TAKE: 'DELETE FROM kept_forms WHERE hash = ?1 AND ends_at > ?2 RETURNING sealed',
  })
  return {
    *keepForm({ hash, address, endsAt, sealed }: SealedForm, now: string): Work<boolean> {
      yield* ask(TRIM, now)
      const [[all, own] = []] = yield* ask(COUNT, address)
      if (Number(all) >= MOST_KEPT || Number(own) >= MOST_OF_ADDRESS) return false
      yield* ask(KEEP, hash, address, endsAt, sealed)
      return true
    },

    *takeForm(hash: string, now: string): Work<string | undefined> {
      const [row] = yield* ask(TAKE, hash, now)
      return row === undefined ? undefined : String(row[0])
    },
  }
}
