import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { personFields } from '../../../model/intent/persons.ts'
import { caseless } from '../../../values/fold.ts'
import { isOwn, OWN, ownName } from '../../../values/json/own.ts'
import { columnOfField } from '../../rows/things.ts'
import { type SqlDialect, statementIn, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/**
 * The names that a new user cannot have: those of others, whatever their case, and that of a removed user while a thing
 * has it, for its work would seem to be the new one's. decisions/0067
 */
export function takenNames(dialect: SqlDialect, schema: Schema) {
  const { USERS, FORMER, NOTE, FORGET } = statementsIn(dialect, 'names', {
    USERS: 'SELECT name FROM users',
    FORMER: 'SELECT name FROM former_users',
    NOTE: 'INSERT INTO former_users (name) VALUES (?1) ON CONFLICT (name) DO NOTHING',
    FORGET: 'DELETE FROM former_users WHERE name = ?1',
  })

  function* isHeld(name: string): Work<boolean> {
    for (const resource of schema.resources) {
      for (const { field } of personFields(resource)) {
        const text = `SELECT 1 FROM ${resource.plural} WHERE ${heldIn(dialect, resource, field)} LIMIT 1`
        if ((yield* ask(statementIn(dialect, { text }), name)).length > 0) return true
      }
    }
    return false
  }

  return {
    *isTaken(name: string): Work<boolean> {
      const isSame = ([other]: readonly unknown[]): boolean => caseless(String(other)) === caseless(name)
      if ((yield* ask(USERS)).some(isSame)) return true
      for (const [former] of (yield* ask(FORMER)).filter(isSame)) if (yield* isHeld(String(former))) return true
      return false
    },

    /** A user has it, or had it. */
    *note(name: string): Work<void> {
      yield* ask(NOTE, name)
    },

    *forget(name: string): Work<void> {
      yield* ask(FORGET, name)
    },
  }
}

const heldIn = (dialect: SqlDialect, resource: Resource, field: string): string =>
  isOwn(field)
    ? `${dialect.presence(OWN).true} AND ${dialect.member(OWN, ownName(field))} = ?1`
    : `${columnOfField(resource, field)} = ?1`
