import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { millisecondsIn } from '../../../values/kinds/uuid.ts'
import { orderedIds } from '../../port/ordered-ids.ts'
import { isNumbered } from '../../rows/things.ts'
import { ask, type Work } from '../../transactions/work.ts'

/** The ids of new things: after all others of their table, whatever clock those are from. */
export class NewIds {
  readonly #run: <T>(work: Work<T>) => T
  // An id that is after all others is followed by later ones only, until others write.
  readonly #afterAll = new Set<string>()

  constructor(run: <T>(work: Work<T>) => T) {
    this.#run = run
  }

  /** Others may have written since the last id. */
  begin(): void {
    this.#afterAll.clear()
  }

  next(resource: Resource): Key {
    const { plural } = resource
    if (isNumbered(resource)) return this.#run(nextNumber(plural))
    const id = newUuid()
    if (this.#afterAll.has(plural)) return id
    this.#afterAll.add(plural)
    const greatest = this.#run(greatestId(plural))
    return greatest === null || id > greatest ? id : newUuid(millisecondsIn(greatest) + 1)
  }
}

/** Rows are numbered in the order of their ids. */
const newUuid = orderedIds()

function* greatestId(table: string): Work<string | null> {
  const [row] = yield* ask({ text: `SELECT max(id) FROM ${table}` })
  return (row?.[0] ?? null) as string | null
}

/** No number is used twice, not even that of a removed thing. */
function* nextNumber(table: string): Work<number> {
  const last = `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`
  const [row] = yield* ask({ text: `SELECT 1 + max(coalesce((SELECT max(id) FROM ${table}), 0), ${last})` })
  return Number(row?.[0])
}
