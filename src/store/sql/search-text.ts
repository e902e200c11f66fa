import type { Term } from '../../queries/query.ts'
import { tableOf } from './columns.ts'
import { condition } from './conditions.ts'
import { segments } from './segments.ts'
import {
  behindCursor,
  chain,
  guides,
  orderBy,
  PAGE,
  type Shape,
  SKIP,
  SKIP_AND_PAGE,
  told,
  walk,
  where,
} from './select-text.ts'
import { type Sql, sql } from './sql.ts'

/** The next rows of the order, as many as a step looks at, and of those what the filter leaves. */
export function stepSql(shape: Shape, gives: 'rows' | 'places' | 'count'): Sql {
  const { collection, dialect, terms } = shape
  const { name } = tableOf(collection, dialect)
  const { guiding, walked } = nextRows(shape)
  const rest = terms
    .filter((term) => !guiding.includes(term))
    // Text is looked at last.
    .sort((one, other) => Number(one.operator === 'regex') - Number(other.operator === 'regex'))
    .map((term) => condition(collection, term, terms.indexOf(term), dialect, false))
  const looked = sql`(${walked} LIMIT ${STEP}) AS looked CROSS JOIN ${name} ON ${name}.rowid = looked.place`
  return gives === 'rows'
    ? sql`SELECT ${told(shape)} FROM ${looked}${where(rest)} LIMIT ${PAGE}`
    : sql`SELECT ${gives === 'count' ? 'count(*)' : 'looked.place'} FROM ${looked}${where(rest)}`
}

/** The last of the rows that a step looks at, where the next one begins; nothing when they are the last. */
export function stepEndSql(shape: Shape): Sql {
  const { name } = tableOf(shape.collection, shape.dialect)
  const { walked } = nextRows(shape)
  return sql`SELECT ${told(shape)} FROM (${walked} LIMIT 1 OFFSET ${STEP_END}) AS looked CROSS JOIN ${name} ON ${name}.rowid = looked.place`
}

function nextRows(shape: Shape): { readonly guiding: readonly Term[]; readonly walked: Sql } {
  const { order, terms } = shape
  const stretches = segments(order, terms)
  const guiding = terms.filter((term) => stretches.some((segment) => guides(shape, segment, term)))
  const walks = stretches.map((each) => sql`${walk(shape, 'rowid AS place', each, guiding)} LIMIT ${STEP}`)
  return { guiding, walked: chain(walks) }
}

/** A page of rows whose places were found before, in order; the text in them is not looked at again. */
export function foundSql(shape: Shape, gives: 'rows' | 'places'): Sql {
  const { collection, dialect, order, terms } = shape
  const { name } = tableOf(collection, dialect)
  const filtered = terms.flatMap((term, at) =>
    term.operator === 'regex' ? [] : [condition(collection, term, at, dialect, false)],
  )
  const conditions = [...filtered, ...behindCursor(shape, segments(order, terms))]
  const columns = gives === 'rows' ? told(shape) : 'found.place'
  const end = gives === 'rows' ? sql`LIMIT ${PAGE} OFFSET ${SKIP}` : sql`LIMIT ${SKIP_AND_PAGE}`
  return sql`SELECT ${columns} FROM (SELECT value AS place FROM json_each(${PLACES})) AS found CROSS JOIN ${name} ON ${name}.rowid = found.place${where(conditions)} ORDER BY ${orderBy(shape, { holds: [], sort: order.sort })} ${end}`
}

const STEP: Sql = { text: '?', slots: [({ step }) => step] }
const STEP_END: Sql = { text: '?', slots: [({ step }) => step - 1] }
const PLACES: Sql = { text: '?', slots: [({ places }) => places] }
