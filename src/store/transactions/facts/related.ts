import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { mayEnter, relatedRequired, thingsNamed } from '../../../model/intent/look-ahead.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { onceFor } from '../../../values/memoize.ts'
import { columnOfField } from '../../rows/things.ts'
import { statementIn } from '../../sql/dialect.ts'
import { prepared } from '../../sql/statement.ts'
import { bind, together, type Work } from '../work.ts'
import { type Concerned, defineFact } from './fact.ts'
import { type FactReader, keyType, readThings, type ThingReader } from './stored-thing.ts'

interface Sought {
  readonly resource: string
  readonly id: Key
}

/** The things that stages may require fields of. */
export const related = defineFact({
  name: 'related',
  wanted: ({ intent, resource }) => (mayEnter(intent, resource) ? thingsNamed(intent, resource) : []),
  read: readSought,
  readAhead: readRequired,
  tell: (ask, _about, left) => (resource: string, id: Key) => {
    const changed = left.of(resource, id)
    return changed === undefined ? ask({ resource, id }) : changed.thing
  },
})

type Find = (sought: Sought) => Thing | undefined

function* readSought({ things, resource: { schema } }: FactReader, sought: readonly Sought[]): Work<Find> {
  const byResource = [...Map.groupBy(sought, ({ resource }) => resource)]
  const found = yield* together(
    byResource.map(([name, some]) =>
      readThings(
        { things, resource: resourceNamed(schema, name) },
        some.map(({ id }) => id),
      ),
    ),
  )
  const by = new Map(byResource.map(([name], at) => [name, found[at]]))
  return ({ resource, id }) => by.get(resource)?.(id)?.thing
}

/** The things that the intents' own refer to now, and those that intents name. They do not change until the commit. */
function* readRequired({ things, resource }: FactReader, asked: readonly Concerned[]): Work<Find> {
  const entering = asked.filter(({ intent }) => mayEnter(intent, resource))
  const own = entering.flatMap(({ target }) => target ?? [])
  const named = asked.flatMap(({ intent }) => thingsNamed(intent, resource))
  const required = entering.length === 0 ? [] : requiredBy(things)(resource)
  const rows = yield* together(
    required.map(({ of, statement }) => {
      const sent = named.filter((each) => each.resource === of.name).map(({ id }) => id)
      return (function* (): Work<readonly Thing[]> {
        const [found = []] = yield [bind(statement, own, sent)]
        return found.map((row) => things.read(of, row).thing)
      })()
    }),
  )
  const found = new Map(required.map(({ of }, at) => [of.name, new Map(rows[at]?.map((thing) => [thing.id, thing]))]))
  return (sought) => found.get(sought.resource)?.get(sought.id)
}

const requiredBy = onceFor(({ dialect, columns }: ThingReader) =>
  bySchema((resource: Resource) =>
    [...relatedRequired(resource)].map(([field, of]) => {
      const referred = `SELECT ${columnOfField(resource, field)} FROM ${resource.plural}
        WHERE ${dialect.among('id', '?1', keyType(resource))}`
      const text = `SELECT ${columns(of).join(', ')} FROM ${of.plural}
        WHERE id IN (${referred} UNION ${dialect.listed('?2', keyType(of))}) ${dialect.lockShared}`
      return { of, statement: statementIn(dialect, prepared(`${resource.name}-${field}-related`, text)) }
    }),
  ),
)
