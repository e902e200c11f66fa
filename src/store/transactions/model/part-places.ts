import type { PartCounts } from '../../../model/declaration/operation.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { itemInModel } from '../../../model/schema/stored-model.ts'
import type { PartPlaces } from '../../../model/source/counted-parts.ts'
import { isOwn, OWN, ownName } from '../../../values/json/own.ts'
import { valuesOf } from '../../../values/kinds/choices.ts'
import { columnOfField, kindIn } from '../../rows/things.ts'
import { ownTable, readyOwn } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

/** Counts what is in each part of a thing, deleted things included. */
export function* countParts(dialect: SqlDialect, resource: Resource, id: Key): Work<PartCounts> {
  const item = itemInModel(resource, id)
  const places = item && resource.parts?.placesOf(item)
  const on: Resource | undefined = places && resourceNamed(resource.schema, places.on)
  // A retired field has no parts that anybody could remove.
  const kind = places && on?.kinds[places.part]
  if (places === undefined || on === undefined || kind === undefined) return new Map()
  const rows = yield* ask(
    statementIn(dialect, { text: counting(dialect, on, places) }),
    ...Object.values(places.within),
  )
  return countsIn(rows, kind.name === 'choices')
}

function counting(dialect: SqlDialect, on: Resource, { within, part }: PartPlaces): string {
  const fixed = Object.keys(within).map((field, at) => `${columnOfField(on, field)} = ?${at + 1}`)
  const select = (value: string, from: string, conditions: readonly string[]): string =>
    `SELECT ${value}, count(*) FROM ${from} WHERE ${['true', ...conditions, ...fixed].join(' AND ')} GROUP BY 1`
  if (!isOwn(part)) return select(columnOfField(on, part), on.plural, anywhere(on, within, part))
  if (readyOwn(on).some(({ name }) => name === part))
    return select('value', ownTable(on), [`field = '${ownName(part)}'`])
  return select(dialect.member(OWN, ownName(part)), on.plural, [dialect.presence(OWN).true])
}

/** True for every row: with it, an index begins with the place. */
function anywhere(on: Resource, within: PartPlaces['within'], part: string): readonly string[] {
  const fields = [...Object.keys(within), part]
  const lane = on.lanes?.find((each) => fields.every((field) => each.within.includes(field)))
  return (lane?.within ?? []).filter((field) => !fields.includes(field)).map((field) => isAny(on, field))
}

function isAny(on: Resource, field: string): string {
  const { schema } = kindIn(on.kinds, field)
  const values = 'enum' in schema && Array.isArray(schema.enum) ? schema.enum : []
  const listed = values.map((value) => `'${value}'`).join(', ')
  return values.length === 0 ? 'true' : `${columnOfField(on, field)} IN (${listed})`
}

/** A thing with a set of choices is in the part of each. */
function countsIn(rows: readonly Row[], isSet: boolean): PartCounts {
  const counts = new Map<string, number>()
  for (const [value, count] of rows) {
    if (value === null || value === undefined) continue
    for (const part of isSet ? valuesOf(String(value)) : [String(value)])
      counts.set(part, (counts.get(part) ?? 0) + Number(count))
  }
  return counts
}
