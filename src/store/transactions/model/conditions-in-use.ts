import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { RoleSource } from '../../../model/source/rights-source.ts'
import { namedChoices } from '../../../queries/named-choices.ts'
import { filterAsWritten } from '../../../queries/parse/condition.ts'
import { savedFilter } from '../../../queries/parse/saved-query.ts'
import { columnOfField } from '../../rows/things.ts'
import type { Row } from '../../sql/statement.ts'
import { type BoundStatement, bind, type Work } from '../work.ts'
import type { SharedCondition, StoredFilter } from './broken-conditions.ts'
import { hookCondition, hooksWithConditions } from './hook-conditions.ts'

/** The conditions that a change of the model must not break: shared saved queries, those of webhooks, and of grants. */
export function* sharedConditions(schema: Schema): Work<readonly SharedCondition[]> {
  const saved = schema.resources.filter(({ savedQuery }) => savedQuery !== undefined)
  const [hooks = [], ...rows] = yield [bind(hooksWithConditions), ...saved.map(sharedQueries)]
  const stored = [
    ...rows.flatMap((each, at) => each.map((row) => savedCondition(saved[at] as Resource, row))),
    ...hooks.map(hookCondition),
    ...schema.roles.flatMap(grantConditions),
  ]
  return stored.map(shared)
}

export const shared = ({ filter, ...use }: StoredFilter): SharedCondition => ({
  ...use,
  named(schema) {
    const found = filter(schema)
    return found && namedChoices(found)
  },
})

/** Without it a grant would allow nothing. */
const grantConditions = ({ name, grants }: RoleSource): readonly StoredFilter[] =>
  grants.flatMap(({ on, where }) => {
    if (where === undefined) return []
    const condition = { on, where, changed: null, owner: null }
    return [{ on: 'role', id: name, name, filter: (schema: Schema) => filterAsWritten(schema, condition) }]
  })

/** A private one is its owner's: it does not keep anybody from changing the model. */
function sharedQueries(resource: Resource): BoundStatement {
  const { plural, savedQuery, privacy } = resource
  const columns = ['id', 'name', savedQuery?.collection ?? '', savedQuery?.query ?? ''].map((field) =>
    columnOfField(resource, field),
  )
  const shared = privacy?.shared === undefined ? '' : ` WHERE ${columnOfField(resource, privacy.shared)}`
  return bind({ text: `SELECT ${columns.join(', ')} FROM ${plural}${shared} ORDER BY id` })
}

function savedCondition({ name: on }: Resource, [id, name, collection, query]: Row): StoredFilter {
  const filter = (schema: Schema) => savedFilter(schema, String(collection), String(query))
  return { on, id: String(id), name: String(name), filter }
}
