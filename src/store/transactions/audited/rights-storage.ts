import type { UsedBy } from '../../../model/declaration/refusal.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { RoleFacts } from '../../../model/nouns/role/operations.ts'
import type { TeamFacts } from '../../../model/nouns/team/operations.ts'
import { MOST_NAMED } from '../../rows/holders.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { everyPerson } from '../accounts/people.ts'
import type { Found, Refused, Storage } from '../storage.ts'
import { ask, type Work } from '../work.ts'
import { tableStorage } from './table-storage.ts'

// Teams and roles shape the schema: a change of one is alone, so that what is read here holds until the commit.

export function teamStorage(dialect: SqlDialect, team: Resource): Storage {
  const { find } = tableStorage(dialect, team)
  const people = everyPerson(dialect)
  return {
    *find(intent): Work<Found | Refused> {
      const found = yield* find(intent)
      if ('refused' in found) return found
      const everybody = yield* people()
      const parts = team.schema.teams.filter(({ parent }) => parent !== null && parent === nameIn(found))
      const usedBy = parts.slice(0, MOST_NAMED).map(({ id, name }): UsedBy => ({ on: 'team', id, name }))
      return { ...found, people: everybody, known: { people: everybody, usedBy } satisfies TeamFacts }
    },
  }
}

export function roleStorage(dialect: SqlDialect, role: Resource): Storage {
  const { find } = tableStorage(dialect, role)
  const { USERS, KEYS } = statementsIn(dialect, 'role', {
    USERS: `SELECT name FROM users WHERE role = ?1 ORDER BY name LIMIT ${MOST_NAMED}`,
    KEYS: `SELECT name FROM keys WHERE role = ?1 ORDER BY name LIMIT ${MOST_NAMED}`,
  })
  return {
    *find(intent): Work<Found | Refused> {
      const found = yield* find(intent)
      const name = 'refused' in found ? undefined : nameIn(found)
      if ('refused' in found || name === undefined) return found
      const named =
        (on: string) =>
        ([each]: Row): UsedBy => ({ on, id: String(each), name: String(each) })
      const users = (yield* ask(USERS, name)).map(named('user'))
      const keys = (yield* ask(KEYS, name)).map(named('key'))
      return { ...found, known: { usedBy: [...users, ...keys].slice(0, MOST_NAMED) } satisfies RoleFacts }
    },
  }
}

const nameIn = ({ thing }: Found): string | undefined => (thing as { readonly name?: string } | undefined)?.name
