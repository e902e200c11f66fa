import type { Within } from '../values/kinds/kind.ts'
import type { CollectionField } from './collection.ts'
import { matches } from './matches.ts'
import { type Condition, type Filter, isTerm, leavesOf, type Term, type Value } from './query.ts'

/**
 * The choices that a filter names, by the list that has them: the stages of each pipeline. Of a list that the
 * filter excludes it names none; one entry is for all lists together.
 */
export type NamedChoices = ReadonlyMap<string, ReadonlySet<unknown>>

export function namedChoices(filter: Filter): NamedChoices {
  const named = new Map<string, Set<unknown>>()
  for (const field of new Set(leavesOf(filter).map((term) => term.field))) {
    const { within } = field.kind
    if (within === undefined) continue
    const all = new Set<unknown>()
    named.set(field.name, all)
    for (const [list, ranks] of within.ranks) {
      const of: ChoiceList = { field, by: listField(field, within), within, list }
      const choices = namedIn(of, filter).filter((choice) => ranks.has(choice))
      named.set(`${field.name} ${list}`, new Set(choices))
      for (const choice of choices) all.add(choice)
    }
  }
  return named
}

/** One of the lists of a field's choices. */
interface ChoiceList {
  readonly field: CollectionField
  /** The name of the field that says which list it is. */
  readonly by: string
  readonly within: Within
  readonly list: unknown
}

/** The field that names the list, of the same thing as the choice. */
export const listField = ({ name, through }: CollectionField, within: Within): string =>
  through === undefined ? within.field : name.slice(0, -through.field.name.length) + within.field

const namedIn = (of: ChoiceList, filter: Filter): readonly Value[] =>
  holdsIn(of, filter) === false
    ? []
    : filter.flatMap((each): readonly Value[] => {
        if (!isTerm(each)) return each.any.flatMap((some) => namedIn(of, some))
        return each.field === of.field ? each.values : []
      })

/** Whether a filter holds for all things of a list, or for none; undefined if that depends on more. */
function holdsIn(of: ChoiceList, filter: Filter): boolean | undefined {
  const held = filter.map((each) => conditionHoldsIn(of, each))
  if (held.includes(false)) return false
  return held.includes(undefined) ? undefined : true
}

function conditionHoldsIn(of: ChoiceList, condition: Condition): boolean | undefined {
  if (isTerm(condition)) return termHoldsIn(of, condition)
  const held = condition.any.map((each) => holdsIn(of, each))
  if (held.includes(true)) return !condition.negated
  return held.includes(undefined) ? undefined : condition.negated
}

const termHoldsIn = ({ by, within, list }: ChoiceList, term: Term): boolean | undefined =>
  term.field.name === by
    ? matches([{ ...term, field: term.field.through?.field ?? term.field }], { [within.field]: list })
    : undefined
