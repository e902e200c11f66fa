import type { ColumnAnswer } from '../../../model/nouns/imports/column-choices.ts'
import type { Json } from '../../../values/json/json.ts'

const said = /^(field|decimal|dates|currency|unit|value|default):(.+)$/s

/** The choices in a page's form, whose fields are named after the headings and values of the file. */
export function choicesIn(fields: ReadonlyMap<string, string>, emptied: ReadonlySet<string> = new Set()): object {
  const columns: Record<string, ColumnAnswer> = Object.create(null)
  const values: Record<string, Record<string, Json>> = Object.create(null)
  const defaults: Record<string, string> = Object.create(null)
  let hasDefaults = false
  const take = (name: string, value: string | null): void => {
    const [, about = '', subject = ''] = said.exec(name) ?? []
    if (about === 'default') {
      hasDefaults = true
      if (value !== null && value.trim() !== '') defaults[subject] = value
    } else if (about === 'value') takeValue(values, subject, value)
    else if (about !== '' && (value !== null || about === 'field'))
      columns[subject] = { ...columns[subject], [about]: about === 'unit' ? Number(value) : value }
  }
  for (const [name, value] of fields) take(name, value)
  for (const name of emptied) take(name, null)
  const keep = fields.get('keep')
  const answers = {
    values,
    ...(keep === undefined ? {} : { keep }),
    ...(hasDefaults ? { defaults } : {}),
  }
  // The answers about values have a form of their own, which says nothing about the columns.
  if (fields.get('_part') === 'values') return answers
  return { ...answers, columns, ...readingIn(fields) }
}

/** The heading and the value are the name of the field, and what it means its value. */
function takeValue(values: Record<string, Record<string, Json>>, subject: string, meaning: string | null): void {
  const [column, value] = pairIn(subject) ?? []
  const entries = meaning === null ? undefined : listIn(meaning)
  if (column === undefined || value === undefined || entries === undefined) return
  const answer = Object.fromEntries(entries as readonly (readonly [string, Json])[])
  values[column] = Object.assign(Object.create(null), values[column], { [value]: answer })
}

function pairIn(text: string): readonly string[] | undefined {
  const list = listIn(text)
  return list?.every((each) => typeof each === 'string') ? (list as readonly string[]) : undefined
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function readingIn(fields: ReadonlyMap<string, string>): object {
  const delimiter = fields.get('delimiter')
  const headings = fields.get('headings')
  return {
    create: fields.get('create') ?? null,
    badCells: fields.get('bad-cells') ?? null,
    ...(fields.has('sheet') && { sheet: fields.get('sheet') }),
    ...(headings !== undefined && /^[1-9]\d*$/.test(headings) && { headings: Number(headings) }),
    ...(fields.has('encoding') && { encoding: fields.get('encoding') }),
    // A tab does not survive in every form.
    ...(delimiter !== undefined && { delimiter: delimiter === 'tab' ? '\t' : delimiter }),
  }
}
