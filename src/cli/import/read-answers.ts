import { readFileSync } from 'node:fs'
import { cellReader } from '../../imports/cells/cell-reader.ts'
import { answerFaults, defaultFaults } from '../../imports/columns/answer-faults.ts'
import { layoutOf } from '../../imports/columns/layout.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { type Defaults, type ValueAnswers, valueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { isObject } from '../../values/json/is-object.ts'
import { Failure, fileFailure, tellFaults } from '../failure.ts'

/** The meanings of the values of a file: JSON as PATCH of /imports has it, whole or its `values` alone. */
export function readValues(file: string | undefined, resource: Resource): ValueAnswers | undefined {
  if (file === undefined) return undefined
  const parsed = parse(file)
  const read = valueAnswers.read(isObject(parsed) && isObject(parsed.values) ? parsed.values : parsed)
  if ('fault' in read) throw new Failure(`${file} must be JSON such as {"Phase": {"Won": {"status": "completed"}}}`)
  const faults = answerFaults(read.value, layoutOf(resource))
  if (faults.length > 0)
    throw new Failure(
      `${file}: ${faults.map(({ at, ...why }) => `${at.pointer} ${tellFaults([{ ...why, at: {} }])}`).join('; ')}`,
    )
  return read.value
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw cause instanceof SyntaxError
      ? new Failure(`${file} is no JSON: ${cause.message}`, { cause })
      : fileFailure(file, cause)
  }
}

/** The values of rows where the file has none, in the words of people. */
export function readDefaults(
  said: readonly (readonly [field: string, text: string])[] = [],
  resource: Resource,
): Defaults | undefined {
  if (said.length === 0) return undefined
  const layout = layoutOf(resource)
  const defaults = Object.fromEntries(
    said.map(([field, text]) => {
      const column = layout.columns.get(field)
      if (column === undefined) return [field, text]
      const read = cellReader(column.kind, { decimal: '.' }, { words: column.words })(text)
      if ('fault' in read) throw new Failure(`--default ${field}=${text}: ${tellFaults([{ ...read.fault, at: {} }])}`)
      const value = isObject(read.value) && 'amount' in read.value ? read.value.amount : read.value
      return [field, column.kind.write(value)]
    }),
  )
  const [fault] = defaultFaults(defaults, layout)
  if (fault !== undefined)
    throw new Failure(`--default: there is no field ${fault.at.pointer?.split('/').at(-1)} for it`)
  return defaults
}

/** That of the caller's clock. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
