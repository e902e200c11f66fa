import { fault, reason } from '../../values/faults/fault.ts'
import { findRepeated } from '../../values/json/parse-json.ts'
import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import { readJsonFilter, writeJsonFilter } from '../expressions/json.ts'
import type { Dialect } from './dialect.ts'

export const FILTER = 'filter'

/** `filter={"or":[{"age":{"gte":65}},{"country":["DE","FR"]}]}`, as in the content of a QUERY. decisions/0031 */
export const jsonFilter: Dialect = {
  name: 'JSON',
  note: () =>
    '`filter` holds JSON, as the content of QUERY does: `{"age": {"gte": 18}, "or": [{"country": ["DE", "FR"]}, {"not": {"name": {"regex": "^A"}}}]}`.',
  holders: [FILTER],
  read(collection, parameter) {
    if (parameter.name !== FILTER) return undefined
    const parsed = parse(parameter.value ?? '')
    if (parsed === undefined) return fault('malformed', { wants: 'json-filter' })
    if (parsed.repeated !== undefined) {
      const repeated = reason('repeated', { wants: 'member' })
      return { fault: repeated, faults: [{ ...repeated, at: { pointer: parsed.repeated } }] }
    }
    const { filter, faults } = readJsonFilter(collection, parsed.json)
    const [first] = faults
    return first === undefined ? { any: [filter], negated: false } : { fault: first, faults }
  },
  spell: () => [],
  write(collection, filter) {
    const text = JSON.stringify(writeJsonFilter(filter))
    // It may be nested too deeply.
    const { faults } = readJsonFilter(collection, readNumbersRaw(text))
    return faults.length === 0 ? `${FILTER}=${encodeURIComponent(text)}` : undefined
  },
}

/** The parsed text, and the pointer of the first repeated member, of which the parsed object only has the last. */
function parse(text: string): { readonly json: unknown; readonly repeated: string | undefined } | undefined {
  try {
    return { json: readNumbersRaw(text), repeated: findRepeated(text) }
  } catch {
    return undefined
  }
}
