import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { orderedIds } from '../../port/ordered-ids.ts'
import { isNumbered } from '../../rows/things.ts'
import { ask, type Work } from '../../transactions/work.ts'

/** The ids of new things. A number is taken for good, whether or not its thing is created. */
export function* newIds(resource: Resource, count: number): Work<readonly Key[]> {
  if (!isNumbered(resource)) return Array.from({ length: count }, () => newUuid())
  return count === 0 ? [] : (yield* ask(NEXT_NUMBERS, resource.plural, count)).map(([number]) => Number(number))
}

const newUuid = orderedIds()

const NEXT_NUMBERS = {
  name: 'next-numbers',
  text: `SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2::int)`,
}
