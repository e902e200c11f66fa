import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import { graphqlBounds } from '../../values/bounds.ts'

/** Selections that are merged with others, and the fragments that led to them. */
interface Merged {
  readonly set: SelectionSetNode
  readonly within: readonly string[]
}

/**
 * The limit that a document's repetitions exceed, directly or by fragments: fields with one name are one field of the
 * answer, and their selections are merged. The time is bounded by the limits, however much is expanded.
 */
export function repeatedIn({ definitions }: DocumentNode): string | undefined {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  )
  let pairs = 0
  let selections = 0
  const isOver = (): boolean => pairs > graphqlBounds.pairs || selections > graphqlBounds.spread

  const gather = ({ set, within }: Merged, fields: Map<string, Merged[]>): void => {
    for (const each of set.selections) {
      selections++
      if (isOver()) return
      if (each.kind === Kind.INLINE_FRAGMENT) gather({ set: each.selectionSet, within }, fields)
      else if (each.kind === Kind.FRAGMENT_SPREAD) {
        const name = each.name.value
        const fragment = fragments.get(name)
        // Validation reports one that spreads itself.
        if (fragment && !within.includes(name))
          gather({ set: fragment.selectionSet, within: [...within, name] }, fields)
      } else {
        const name = (each.alias ?? each.name).value
        const same = fields.get(name) ?? []
        pairs += same.length
        same.push({ set: each.selectionSet ?? nothing, within })
        fields.set(name, same)
      }
    }
  }

  const look = (place: readonly Merged[]): void => {
    const fields = new Map<string, Merged[]>()
    for (const each of place) gather(each, fields)
    for (const same of fields.values()) if (!isOver()) look(same)
  }

  for (const each of definitions) {
    if (each.kind === Kind.OPERATION_DEFINITION) look([{ set: each.selectionSet, within: [] }])
    // A fragment that is not used is validated, too.
    if (each.kind === Kind.FRAGMENT_DEFINITION) look([{ set: each.selectionSet, within: [each.name.value] }])
  }
  if (pairs > graphqlBounds.pairs) return 'The document selects fields under the same name too often in one place.'
  if (selections > graphqlBounds.spread) {
    return `With its fragments spread out, the document has more than ${graphqlBounds.spread.toLocaleString('en')} fields.`
  }
  return undefined
}

const nothing: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] }
