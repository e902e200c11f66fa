import { notBefore } from '../../values/time.ts'
import { ABSENT, CHUNK_TEXTS, type CustomerChunk, NULL, SEGMENT } from './chunk.ts'
import type { Customer } from './customer.ts'

/** A row of a chunk: nothing where nothing was given. */
export interface ChunkRow extends Pick<Customer, 'name'> {
  id: number | undefined
  name: string
  email: string | null | undefined
  age: number | null | undefined
  children: number | null | undefined
  country: Customer['country'] | undefined
  createdAt: string | null | undefined
}

/** Rows of a chunk, read in their order, each into the same object. */
export function chunkReader({
  ids,
  ages,
  children,
  texts,
  lengths,
}: CustomerChunk): (at: number) => Readonly<ChunkRow> {
  let text = ''
  let place = 0
  const nextText = (length: number): string | null | undefined => {
    if (length < 0) return length === ABSENT ? undefined : null
    place += length
    return text.slice(place - length, place)
  }
  const number = (value: number): number | null | undefined =>
    value >= 0 ? value : value === ABSENT ? undefined : null
  const row: ChunkRow = {
    id: undefined,
    name: '',
    email: undefined,
    age: undefined,
    children: undefined,
    country: undefined,
    createdAt: undefined,
  }
  return (at) => {
    if (at % SEGMENT === 0) {
      text = texts[at / SEGMENT] ?? ''
      place = 0
    }
    const id = ids[at] ?? NULL
    const first = at * CHUNK_TEXTS
    row.id = id === NULL ? undefined : id
    row.age = number(ages[at] ?? ABSENT)
    row.children = number(children[at] ?? ABSENT)
    row.name = nextText(lengths[first] ?? ABSENT) ?? ''
    row.email = nextText(lengths[first + 1] ?? ABSENT)
    row.country = nextText(lengths[first + 2] ?? ABSENT) as ChunkRow['country']
    row.createdAt = nextText(lengths[first + 3] ?? ABSENT)
    return row
  }
}

export function newCustomer(row: Readonly<ChunkRow>, id: number, now: string): Customer {
  return {
    id,
    name: row.name,
    email: row.email ?? null,
    age: row.age ?? null,
    children: row.children ?? null,
    country: row.country ?? null,
    createdAt: row.createdAt ?? now,
    updatedAt: notBefore(row.createdAt ?? now, now),
    revision: 1,
  }
}

const given = ['name', 'email', 'age', 'children', 'country'] as const

/** The fields in which a row differs from the customer that there is. */
export const changedBy = (row: Readonly<ChunkRow>, before: Customer): readonly (typeof given)[number][] =>
  given.filter((name) => row[name] !== undefined && row[name] !== before[name])

export function changedCustomer(row: Readonly<ChunkRow>, before: Customer, now: string): Customer {
  const sets = Object.fromEntries(changedBy(row, before).map((name) => [name, row[name] ?? null]))
  return { ...before, ...sets, updatedAt: notBefore(before.updatedAt, now), revision: before.revision + 1 }
}
