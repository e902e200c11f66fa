import type { Correction } from '../../../model/intent/correction.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

/** The corrections that are under way: a restart continues them. decisions/0067 */
export function correctionWork(dialect: SqlDialect) {
  const { LIST, BEGIN, END } = statementsIn(dialect, 'corrections', {
    LIST: 'SELECT id, held, user_name, actor, key_name, created_at FROM corrections ORDER BY created_at, id',
    BEGIN: `INSERT INTO corrections (id, held, user_name, actor, key_name, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
    END: 'DELETE FROM corrections WHERE id = ?1',
  })
  return {
    *corrections(): Work<readonly Correction[]> {
      return (yield* ask(LIST)).map(read)
    },

    *beginCorrection({ id, from, to, actor, key, createdAt }: Correction): Work<void> {
      yield* ask(BEGIN, id, from, to, actor, key, createdAt)
    },

    *endCorrection(id: string): Work<void> {
      yield* ask(END, id)
    },
  }
}

const read = ([id, from, to, actor, key, createdAt]: Row): Correction => ({
  ...{ id: String(id), from: String(from), createdAt: String(createdAt) },
  ...{ to: textOrNull(to), actor: textOrNull(actor), key: textOrNull(key) },
})

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
