import { LATER, type ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { type Person, personNamed } from '../../model/nouns/user/person.ts'
import type { FoundValue } from '../columns/value-survey.ts'

/** The values that nobody knows, without those that name a user. Without users anybody may be named. */
export const unknownValues = (values: readonly FoundValue[], people: readonly Person[]): readonly FoundValue[] =>
  values.filter(
    ({ value, isPerson }) =>
      !isPerson || (people.length > 0 && 'fault' in personNamed(people, value, { byWords: true })),
  )

/** The texts of persons who become users later. */
export const laterTexts = (answers: ValueAnswers = {}): readonly string[] =>
  Object.values(answers).flatMap((said) =>
    Object.entries(said).flatMap(([text, answer]) => (answer?.[LATER] === true ? [text] : [])),
  )
