import type { Resource } from '../../../model/declaration/schema.ts'
import type { Team } from '../../../model/nouns/team/team.ts'
import { notBefore } from '../../../values/kinds/time.ts'
import { documentRows, type FieldRows } from '../../rows/audited/field-rows.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** Takes a user who is removed out of all teams. */
export function teamLeaver(dialect: SqlDialect, team: Resource): (user: string) => Work<void> {
  const rows = documentRows(team) as unknown as FieldRows<Team>
  const [id = '', ...changed] = rows.columns
  const { TEAM, UPDATE } = statementsIn(dialect, 'leaving', {
    TEAM: `SELECT ${rows.columns.join(', ')} FROM teams WHERE ${id} = ?1 ${dialect.lock}`,
    UPDATE: `UPDATE teams SET ${changed.map((column, at) => `${column} = ?${at + 2}`).join(', ')} WHERE ${id} = ?1`,
  })
  return function* leave(user) {
    const theirs = team.schema.teams.filter(({ members }) => members.includes(user))
    for (const { id } of theirs) {
      for (const before of (yield* ask(TEAM, id)).map(rows.read)) {
        const members = before.members.filter((each) => each !== user)
        const updatedAt = notBefore(before.updatedAt, new Date().toISOString())
        yield* ask(UPDATE, ...rows.values({ ...before, members, updatedAt, revision: before.revision + 1 }))
      }
    }
  }
}
