import type { Thing } from '../../../model/declaration/resource.ts'
import { thingColumns } from '../../rows/things.ts'
import type { ThingReader } from '../../transactions/facts/stored-thing.ts'
import { postgres } from '../sql/dialect.ts'

export const thingReader: ThingReader = {
  dialect: postgres,
  columns: (resource) => [...thingColumns(resource), 'previous_at'],
  read({ columns: names, structures }, row) {
    const thing = Object.fromEntries(names.map((name, at) => [name, row[at]]))
    for (const name of structures) thing[name] = readParts(thing[name])
    return { thing: thing as unknown as Thing, previousAt: (row[names.length] ?? null) as string | null }
  },
}

const readParts = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)
