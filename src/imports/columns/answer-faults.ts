import { type Defaults, LATER, type ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Json } from '../../values/json/json.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { fieldsIn, type RowLayout } from './layout.ts'

// The faults in the answers of a person, found before any row is read by them.

/** Answers name fields, and values that these fields have. */
export const answerFaults = (answers: ValueAnswers, layout: RowLayout): readonly Fault[] =>
  Object.entries(answers).flatMap(([heading, said]) =>
    Object.entries(said).flatMap(([text, answer]) => {
      if (answer === null || !isObject(answer)) return []
      const at = `/values${pointerTo(heading)}${pointerTo(text)}`
      return Object.entries(answer).flatMap(([field, value]) => {
        const pointer = at + pointerTo(field)
        if (field === LATER)
          return value === true ? [] : [{ code: 'type', with: { wants: 'boolean' }, at: { pointer } } as const]
        const kind = kindOf(field, layout)
        if (kind === undefined) return [unknownField(layout, pointer)]
        const isItem = kind.name === 'choices' && typeof value === 'string'
        return valueFaults(kind, isItem ? [value] : value, pointer)
      })
    }),
  )

/** Defaults are values of fields that no two things need to differ in. */
export const defaultFaults = (defaults: Defaults, layout: RowLayout): readonly Fault[] =>
  Object.entries(defaults).flatMap(([field, value]) => {
    const pointer = `/defaults${pointerTo(field)}`
    const kind = ['id', ...layout.uniques].includes(field) ? undefined : kindOf(field, layout)
    return kind === undefined ? [unknownField(layout, pointer)] : valueFaults(kind, value, pointer)
  })

function kindOf(field: string, { columns }: RowLayout): Kind<unknown> | undefined {
  const column = columns.get(field)
  return column?.ignored ? undefined : column?.kind
}

const unknownField = (layout: RowLayout, pointer: string): Fault => ({
  code: 'not-one-of',
  with: { values: fieldsIn(layout) },
  at: { pointer },
})

function valueFaults(kind: Kind<unknown>, value: Json, pointer: string): readonly Fault[] {
  if (value === null) return []
  const read = kind.read(value)
  return 'fault' in read ? [{ ...read.fault, at: { pointer } }] : []
}
