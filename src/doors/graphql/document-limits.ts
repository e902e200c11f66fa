import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, visit } from 'graphql'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { graphqlBounds } from '../../values/bounds.ts'
import { repeatedIn } from './repeated-fields.ts'

export const tooLarge = (detail: string): Problem => ({ code: 'query-too-large', detail })

/** The limit that a document exceeds; its names need not be known yet. */
export function documentProblem(document: DocumentNode): Problem | undefined {
  const counted = countsIn(document)
  for (const what of ['definitions', 'selections', 'directives'] as const) {
    if (counted[what] > graphqlBounds[what]) {
      return tooLarge(`The document has ${counted[what]} ${what}; ${graphqlBounds[what]} are allowed.`)
    }
  }
  const repeated = repeatedIn(document)
  if (repeated !== undefined) return tooLarge(repeated)
  const { depth, introspection, aliasesIntrospection } = nestingOf(document)
  if (depth > graphqlBounds.depth) {
    return tooLarge(`The document is nested ${depth} levels deep; ${graphqlBounds.depth} are allowed.`)
  }
  if (introspection > graphqlBounds.introspectionDepth) {
    return tooLarge(`The introspection is nested deeper than ${graphqlBounds.introspectionDepth} levels.`)
  }
  // Without aliases, its size is bounded by that of the schema.
  return aliasesIntrospection ? tooLarge('The fields of an introspection cannot have aliases.') : undefined
}

function countsIn(document: DocumentNode) {
  const counted = { definitions: document.definitions.length, selections: 0, directives: 0 }
  visit(document, {
    SelectionSet({ selections }) {
      counted.selections += selections.length
    },
    Directive: () => void counted.directives++,
  })
  return counted
}

interface Nesting {
  readonly depth: number
  readonly hasAlias: boolean
  readonly introspection: number
  readonly aliasesIntrospection: boolean
}

const flat: Nesting = { depth: 0, hasAlias: false, introspection: 0, aliasesIntrospection: false }

/** Each fragment is measured once, so it takes as long as reading the document. Validation finds their cycles. */
function nestingOf({ definitions }: DocumentNode): Nesting {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  )
  const known = new Map<string, Nesting>()

  const inFragment = (name: string): Nesting => {
    const found = known.get(name)
    if (found !== undefined) return found
    known.set(name, flat)
    const measured = within(fragments.get(name)?.selectionSet)
    known.set(name, measured)
    return measured
  }

  const within = (set: SelectionSetNode | undefined): Nesting => {
    const all = (set?.selections ?? []).map((each) => {
      if (each.kind === Kind.FRAGMENT_SPREAD) return inFragment(each.name.value)
      return each.kind === Kind.FIELD ? ofField(each, within(each.selectionSet)) : within(each.selectionSet)
    })
    return all.reduce(deeper, flat)
  }

  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  return operations.map((each) => within(each.selectionSet)).reduce(deeper, flat)
}

const deeper = (one: Nesting, other: Nesting): Nesting => ({
  depth: Math.max(one.depth, other.depth),
  hasAlias: one.hasAlias || other.hasAlias,
  introspection: Math.max(one.introspection, other.introspection),
  aliasesIntrospection: one.aliasesIntrospection || other.aliasesIntrospection,
})

function ofField({ name, alias }: FieldNode, inner: Nesting): Nesting {
  const hasAlias = alias !== undefined
  if (!isIntrospection(name.value)) return { ...inner, depth: inner.depth + 1, hasAlias: hasAlias || inner.hasAlias }
  return { depth: 1, hasAlias, introspection: inner.depth + 1, aliasesIntrospection: inner.hasAlias }
}

export const isIntrospection = (field: string): boolean => field === '__schema' || field === '__type'
