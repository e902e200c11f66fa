import { pick } from '../../../src/demo/random.ts'
import { creationOf } from '../../../src/model/schema/resources.ts'
import { memberIn } from '../../../src/values/members.ts'
import type { Importing } from '../step.ts'
import { chance, type Drawing, either, resourceOf } from './drawing.ts'
import { drawParams } from './operations.ts'
import { drawText } from './values.ts'

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A file of rows, or an export of what is there. */
export function file(drawing: Drawing): Omit<Importing, 'at'> {
  const on = either(drawing, 'deal', 'customer', 'task')
  const resource = resourceOf(drawing, on)
  const parameters = `${chance(drawing, 20) ? '&create=missing' : ''}${chance(drawing, 20) ? '&bad-cells=empty' : ''}`
  if (chance(drawing, 40)) {
    const format = either(drawing, 'csv', 'ndjson', 'xlsx')
    const shared = { does: 'import', on, parameters: '', until: 'imported' } as const
    return { ...shared, type: types[format], file: { exportedAt: `${resource.path}.${format}` } }
  }
  const operation = creationOf(resource)
  const rows = Array.from({ length: 1 + drawing.random(6) }, () =>
    rowOf(drawing, on, drawParams(drawing, operation.params, operation)),
  )
  const isCsv = chance(drawing, 50)
  const text = isCsv ? csv(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const until = chance(drawing, 30) ? 'undone' : 'imported'
  return { does: 'import', on, type: isCsv ? types.csv : types.ndjson, file: { text }, parameters, until }
}

/** Some rows name a thing that is there. */
function rowOf(drawing: Drawing, on: string, params: object): object {
  const known = drawing.known.of(on).flatMap(({ latest }) => memberIn(latest ?? {}, 'reference') ?? [])
  const reference = known.length > 0 && chance(drawing, 40) ? pick(known, drawing.random) : drawText(drawing)
  return { ...params, ...(chance(drawing, 70) && { reference }) }
}

function csv(rows: readonly object[]): string {
  const flat = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each])
          : [[name, value]],
      ),
    ),
  )
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown): string => {
    const text = Array.isArray(value) ? value.join('; ') : String(value ?? '')
    return `"${(/^[=+\-@\t\r']/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  }
  return `${[columns.join(), ...flat.map((row) => columns.map((name) => cell(row[name])).join())].join('\n')}\n`
}
