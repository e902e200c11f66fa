import type { Person } from '../../../model/nouns/user/person.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

/** The users of these names; all users if one of the names is nobody's, since then somebody else is meant. */
export function peopleWork(dialect: SqlDialect): (names: readonly string[]) => Work<readonly Person[]> {
  const { NAMED } = statementsIn(dialect, 'people', {
    NAMED: `SELECT ${COLUMNS} FROM users WHERE ${dialect.among('name', '?1')}`,
  })
  const everybody = everyPerson(dialect)
  return function* people(names) {
    const sought = [...new Set(names)]
    if (sought.length === 0) return []
    const named = yield* ask(NAMED, sought)
    return named.length === sought.length ? named.map(read) : yield* everybody()
  }
}

/** All users, as far as others find them. */
export function everyPerson(dialect: SqlDialect): () => Work<readonly Person[]> {
  const { ALL } = statementsIn(dialect, 'everybody', { ALL: `SELECT ${COLUMNS} FROM users ORDER BY name` })
  return function* everybody() {
    return (yield* ask(ALL)).map(read)
  }
}

const COLUMNS = 'name, full_name, email, disabled'

const read = ([name, fullName, email, disabled]: Row): Person => ({
  name: String(name),
  fullName: (fullName ?? null) as string | null,
  email: (email ?? null) as string | null,
  disabled: Boolean(disabled),
})
