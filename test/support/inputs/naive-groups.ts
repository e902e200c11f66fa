import { compare, type Plain, type PlainRow, type PlainSort } from './naive-evaluator.ts'

/** A member of a group: numbers are exact, as thousandths where they have decimals. */
export type Cell = Plain | { readonly exact: bigint; readonly decimals: 0 | 3 }
export type NaiveGroup = Readonly<Record<string, Cell>>

const decimalsOf: Readonly<Record<string, bigint>> = { JPY: 0n, KRW: 0n, BHD: 3n, CLF: 3n }
const amounts = new Set(['price', 'paid', 'amercement'])
const parts = ['year', 'month', 'week', 'day']

/** What a query for groups must give, written for clearness alone. */
export function groupsOf(
  rows: readonly PlainRow[],
  by: readonly string[],
  measures: readonly string[],
  sort: readonly PlainSort[],
): readonly NaiveGroup[] {
  const keyed = Map.groupBy(rows, (row) => JSON.stringify(by.map((name) => keyOf(row, name))))
  const members = by.length === 0 ? [rows] : [...keyed.values()]
  const groups = members.map((those): NaiveGroup => {
    const keys = by.map((name) => [name, cellOf(name, keyOf(those[0] ?? {}, name))])
    return Object.fromEntries([...keys, ...measures.map((name) => [name, measured(those, name)])])
  })
  const descending = sort.at(-1)?.descending ?? false
  const order = [...sort, ...by.map((field) => ({ field, descending }))]
  return groups.toSorted((a, b) => {
    for (const { field, descending } of order) {
      const result = compareCells(field, a[field] ?? null, b[field] ?? null, descending)
      if (result !== 0) return result
    }
    return 0
  })
}

/** The member as it stands in JSON. */
export function cellText(cell: Cell): string {
  if (cell === null || typeof cell !== 'object') return JSON.stringify(cell)
  if (cell.decimals === 0) return String(cell.exact)
  const digits = String(cell.exact).padStart(4, '0')
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '')
}

function keyOf(row: PlainRow, name: string): Plain {
  const part = parts.find((each) => name.endsWith(`.${each}`))
  if (part === undefined) return row[name] ?? null
  const date = row[name.slice(0, -part.length - 1)] ?? null
  return date === null ? null : partOf(String(date), part)
}

function partOf(date: string, part: string): string {
  if (part === 'week') return isoWeek(date)
  return date.slice(0, part === 'year' ? 4 : part === 'month' ? 7 : 10)
}

/** The week of a day is that of its Thursday. */
function isoWeek(date: string): string {
  const thursday = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7))
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

function cellOf(name: string, value: Plain): Cell {
  if (typeof value !== 'number') return value
  return { exact: BigInt(value), decimals: amounts.has(name) ? 3 : 0 }
}

function measured(rows: readonly PlainRow[], name: string): Cell {
  if (name === 'count') return { exact: BigInt(rows.length), decimals: 0 }
  const at = name.indexOf('.')
  const field = name.slice(at + 1)
  const values = rows.map((row) => row[field] ?? null).filter((value) => value !== null)
  const sum = () => values.reduce((all, value) => all + BigInt(Number(value)), 0n)
  switch (name.slice(0, at)) {
    case 'count':
      return { exact: BigInt(values.length), decimals: 0 }
    case 'sum':
      return values.length === 0 ? null : { exact: sum(), decimals: amounts.has(field) ? 3 : 0 }
    case 'avg': {
      if (values.length === 0) return null
      if (!amounts.has(field)) return { exact: halfEven(sum() * 1000n, BigInt(values.length)), decimals: 3 }
      const unit = 10n ** (3n - (decimalsOf[String(rows[0]?.currency)] ?? 2n))
      return { exact: halfEven(sum(), BigInt(values.length) * unit) * unit, decimals: 3 }
    }
    default: {
      const sorted = values.toSorted((a, b) => compare(field, a, b))
      return cellOf(field, (name.startsWith('min') ? sorted[0] : sorted.at(-1)) ?? null)
    }
  }
}

/** Of numbers that are not negative. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const floor = dividend / divisor
  const twice = (dividend % divisor) * 2n
  return twice > divisor || (twice === divisor && floor % 2n === 1n) ? floor + 1n : floor
}

function compareCells(name: string, a: Cell, b: Cell, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const order = compareValues(name.replace(/^(min|max)\./, ''), a, b)
  return descending ? -order : order
}

function compareValues(field: string, a: Exclude<Cell, null>, b: Exclude<Cell, null>): number {
  if (typeof a !== 'object' || typeof b !== 'object') return compare(field, a as Plain, b as Plain)
  return a.exact < b.exact ? -1 : a.exact > b.exact ? 1 : 0
}
