import { readOdata } from '../expressions/odata.ts'
import { readExpression } from '../expressions/scanner.ts'
import { writeOdata } from '../expressions/write-odata.ts'
import type { Dialect } from './dialect.ts'

const name = '$filter'

/** `$filter=(age ge 65 or children ge 3) and not (country eq 'DE')`. decisions/0028 */
export const odataFilter: Dialect = {
  name: 'OData $filter',
  note: () =>
    '`$filter` holds an expression of OData: `eq ne gt ge lt le in`, `and or not`, parentheses, and `contains`, `startswith`, `endswith`, `matchesPattern`.',
  holders: [name],
  read(collection, parameter) {
    if (parameter.name !== name) return undefined
    return readExpression(parameter.value ?? '', (scanner) => readOdata(scanner, collection))
  },
  spell: () => [],
  write(_, filter) {
    const written = writeOdata(filter)
    return written && `${name}=${encodeURIComponent(written).replaceAll('%20', '+').replaceAll('%2C', ',')}`
  },
}
