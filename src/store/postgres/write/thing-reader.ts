import { thingColumns, thingOf } from '../../rows/things.ts'
import type { ThingReader } from '../../transactions/facts/stored-thing.ts'
import { postgres } from '../sql/dialect.ts'

export const thingReader: ThingReader = {
  dialect: postgres,
  columns: (resource) => [...thingColumns(resource), 'previous_at'],
  read(resource, row) {
    const { columns } = resource
    return { thing: thingOf(resource, columns, row), previousAt: (row[columns.length] ?? null) as string | null }
  },
}
