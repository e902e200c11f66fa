import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { open } from './bare-deals.ts'

export interface CustomerPages {
  /** A page as its JSON text, for the query without its `?`. */
  page(query: string): string
  /** The lines behind a customer; nothing at the end. */
  batch(last: number): { readonly lines: string; readonly last: number } | undefined
}

/** Customers by id: what matches is found by whichever of three ways looks at the fewest rows. */
export function customerPages(path: string): CustomerPages {
  const db = open(path)
  const statements: Readonly<Record<Way, StatementSync>> = {
    all: pageStatement(db, ''),
    walk: pageStatement(db, 'AND +age BETWEEN ? AND ? AND +children >= ?'),
    age: pageStatement(db, 'AND age BETWEEN ? AND ? AND +children >= ?', 'INDEXED BY customers_age', '+id'),
    children: pageStatement(db, 'AND +age BETWEEN ? AND ? AND children >= ?', 'INDEXED BY customers_children', '+id'),
  }
  const export1000 = db.prepare(
    `SELECT group_concat(${customerJson}, char(10)), max(id)
     FROM (SELECT ${columns} FROM customers WHERE id > ? ORDER BY id LIMIT 1000)`,
  )
  export1000.setReturnArrays(true)
  const wayFor = wayChooser(db)

  return {
    page(query) {
      const asked = readQuery(query)
      const { after, page, size, minAge, maxAge, minChildren } = asked
      const way = wayFor(asked)
      const filter = way === 'all' ? [] : [minAge, maxAge, minChildren]
      const row = statements[way].get(after, ...filter, size, (page - 1) * size) as unknown as [string, number, number]
      const [items, last, count] = row
      const more = count === size
      const rest = query.replace(/&?(page|after)=\d+/, '')
      const next = more ? `,"next":"/customers?${rest}&after=${last}"` : ''
      return `{"items":${items},"pageSize":${size},"hasMore":${more},"links":{"self":"/customers?${query}","first":"/customers?${rest}"${next}}}`
    },
    batch(last) {
      const [lines, end] = export1000.get(last) as unknown as [string | null, number | null]
      return lines === null || end === null ? undefined : { lines: `${lines}\n`, last: end }
    },
  }
}

/** By hand, since the declarations would make the ceiling's start longer; a test compares them. */
export const customerColumns = [
  ...['id', 'name', 'email', 'age', 'children', 'country', 'company', 'phone', 'reference'],
  ...['created_at', 'updated_at', 'revision'],
]
const columns = customerColumns.join(', ')
const memberOf = (column: string): string => column.replace(/_a/, 'A')
const customerJson = `json_object(${customerColumns.map((column) => `'${memberOf(column)}', ${column}`).join(', ')})`

function pageStatement(db: DatabaseSync, filter: string, index = 'NOT INDEXED', id = 'id'): StatementSync {
  const statement = db.prepare(
    `SELECT json_group_array(${customerJson}), max(id), count(*)
     FROM (SELECT ${columns} FROM customers ${index} WHERE ${id} > ? ${filter} ORDER BY ${id} LIMIT ? OFFSET ?)`,
  )
  statement.setReturnArrays(true)
  return statement
}

interface Asked {
  readonly minAge: number
  readonly maxAge: number
  readonly minChildren: number
  readonly size: number
  readonly page: number
  readonly after: number
}

export function readQuery(query: string): Asked {
  const asked = { minAge: -1, maxAge: 1000, minChildren: -1, size: 50, page: 1, after: 0 }
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=')
    const value = Number(parameter.slice(equals + 1))
    const name = parameter.slice(0, equals)
    if (name === 'min-age') asked.minAge = value
    else if (name === 'max-age') asked.maxAge = value
    else if (name === 'min-children') asked.minChildren = value
    else if (name === 'maxpagesize') asked.size = value
    else if (name === 'page') asked.page = value
    else if (name === 'after') asked.after = value
  }
  return asked
}

/** Walk all by id, the filtered by id, or sort what an index on age or on children gives. */
type Way = 'all' | 'walk' | 'age' | 'children'

function wayChooser(db: DatabaseSync): (asked: Asked) => Way {
  const ages = counter(db, 'age')
  const children = counter(db, 'children')
  const all = Number(db.prepare('SELECT count(*) AS n FROM customers').get()?.n)
  return ({ minAge, maxAge, minChildren, size, page }) => {
    if (minAge === -1 && minChildren === -1) return 'all'
    const byAge = ages(minAge, maxAge)
    const byChildren = children(minChildren, 1000)
    const walked = (page * size * all) / Math.max(1, (byAge * byChildren) / all)
    // A row by way of an index is looked up one by one: about twice the work.
    if (walked <= 2 * Math.min(byAge, byChildren)) return 'walk'
    return byAge < byChildren ? 'age' : 'children'
  }
}

/** How many rows have a value in a range, counted once at the start. */
function counter(db: DatabaseSync, column: string): (from: number, to: number) => number {
  const counts = db.prepare(`SELECT ${column} AS value, count(*) AS n FROM customers GROUP BY 1`).all()
  return (from, to) => {
    let sum = 0
    for (const { value, n } of counts)
      if (value !== null && Number(value) >= from && Number(value) <= to) sum += Number(n)
    return sum
  }
}
