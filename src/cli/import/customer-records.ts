import type { GivenCustomer } from '../../model/customer/chunk.ts'
import { customer } from '../../model/customer/customer.ts'
import { withoutFormulaMark } from '../../representations/csv.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { isObject } from '../../values/members.ts'
import { didYouMean } from '../../values/nearest.ts'

/** Turns a record into the customer it describes, or says what is wrong with it. */
export type ReadCustomer = (
  cells: readonly string[],
) => { readonly customer: GivenCustomer } | { readonly fault: string }

type CustomerField = keyof typeof customer.kinds
const names: readonly CustomerField[] = customer.names
const kinds = new Map<string, Kind<unknown>>(Object.entries(customer.kinds))

/** The service's own: an export has them, an import passes over them. */
const ownedByService: ReadonlySet<string> = new Set(['updatedAt', 'revision'] satisfies CustomerField[])

interface Column {
  readonly name: string
  readonly kind: Kind<unknown>
  readonly ignored: boolean
  /** Whether the export may have put a `'` before it, for spreadsheets. */
  readonly quoted: boolean
}

/** From the header: the cells of a row are in its order. Answers with what is wrong with the header otherwise. */
export function customerFromCells(
  header: readonly string[],
): { readonly read: ReadCustomer } | { readonly fault: string } {
  const columns: Column[] = []
  for (const cell of header.map((name) => name.trim())) {
    const kind = kinds.get(cell)
    if (kind === undefined) return { fault: unknownColumn(cell, header) }
    if (columns.some(({ name }) => name === cell)) return { fault: `the column ${cell} is there twice` }
    columns.push({ name: cell, kind, ignored: ownedByService.has(cell), quoted: kind.name === 'text' })
  }
  if (!columns.some(({ name }) => name === 'name')) return { fault: `there is no column name${expected}` }
  return { read: (cells) => readCells(columns, cells) }
}

const expected = `; the columns are ${names.join(', ')}, of which only name must be there`

function unknownColumn(name: string, header: readonly string[]): string {
  const separator = header.length === 1 ? [';', '\t', '|'].find((each) => name.includes(each)) : undefined
  if (separator !== undefined) return `the columns are separated by ${JSON.stringify(separator)}, not by commas`
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name)
  return `there is no column ${shown}${didYouMean(name, names) || expected}`
}

function readCells(columns: readonly Column[], cells: readonly string[]): ReturnType<ReadCustomer> {
  if (cells.length !== columns.length) {
    return { fault: `has ${cells.length} cells where the header has ${columns.length}` }
  }
  const values: Record<string, unknown> = {}
  let faults = ''
  for (let at = 0; at < columns.length; at++) {
    const { name, kind, ignored, quoted } = columns[at] as Column
    if (ignored) continue
    const cell = cells[at] as string
    if (cell === '') {
      if (name === 'name') faults += `${separated(faults)}name is required`
      else if (kind.nullable) values[name] = null
      continue
    }
    const read = kind.readText(quoted ? withoutFormulaMark(cell) : cell)
    if ('fault' in read) faults += `${separated(faults)}${name} ${read.fault}`
    else values[name] = read.value
  }
  return faults === '' ? { customer: values as unknown as GivenCustomer } : { fault: faults }
}

const separated = (faults: string): string => (faults === '' ? '' : '; ')

/** From a line of JSON. A member that is absent stays as it is on a customer that exists. */
export const customerFromJson: ReadCustomer = ([line]) => {
  const raw = parse(line ?? '')
  if (!isObject(raw)) return { fault: raw === undefined ? 'is not JSON' : 'is not a JSON object' }
  const values: Record<string, unknown> = {}
  let faults = ''
  if (!Object.hasOwn(raw, 'name')) faults += 'name is required'
  for (const name of Object.keys(raw)) {
    const kind = kinds.get(name)
    if (kind === undefined) {
      faults += `${separated(faults)}${name} is not known here${didYouMean(name, names)}`
      continue
    }
    const value = raw[name]
    if (ownedByService.has(name) || (value === null && (name === 'id' || name === 'createdAt'))) continue
    const read = kind.read(value)
    if ('fault' in read) faults += `${separated(faults)}${name} ${read.fault}`
    else values[name] = read.value
  }
  return faults === '' ? { customer: values as unknown as GivenCustomer } : { fault: faults }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
