import { personTexts } from '../../../model/intent/persons.ts'
import { onceFor } from '../../../values/memoize.ts'
import { peopleWork } from '../accounts/people.ts'
import { defineFact } from './fact.ts'

/** The users whom an intent names. */
export const people = defineFact({
  name: 'people',
  wanted: ({ intent, resource }) => [personTexts(intent, resource)],
  *read({ things: { dialect } }, names) {
    const found = yield* peopleOf(dialect)(names.flat())
    return (_names: readonly string[]) => found
  },
  tell: (ask) => (names: readonly string[]) => ask(names),
})

const peopleOf = onceFor(peopleWork)
