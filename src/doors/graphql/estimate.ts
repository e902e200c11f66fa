import {
  type FieldNode,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
  valueFromASTUntyped,
} from 'graphql'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { answerBounds, graphqlBounds } from '../../values/bounds.ts'
import { isIntrospection, tooLarge } from './document-limits.ts'
import type { Estimate } from './schema/costs.ts'

/** `each` of the items of the surrounding list costs this much more. */
interface EstimatedCost {
  readonly nodes: number
  readonly values: number
  readonly each: { readonly nodes: number; readonly values: number }
}

const nothing: EstimatedCost = { nodes: 0, values: 0, each: { nodes: 0, values: 0 } }

/** The limit that an operation would exceed, estimated from its arguments and variables, before anything is read. */
export function costProblem(args: ValidatedExecutionArgs): Problem | undefined {
  const { nodes, values } = amountOf(args)
  if (nodes > answerBounds.things) {
    return tooLarge(`The request may read ${shown(nodes)} things; ${shown(answerBounds.things)} are allowed.`)
  }
  if (values > graphqlBounds.values) {
    return tooLarge(`The request may answer ${shown(values)} values; ${shown(graphqlBounds.values)} are allowed.`)
  }
  return undefined
}

const shown = (count: number): string => count.toLocaleString('en')

/** Each fragment is estimated once, so it takes as long as reading the document, however large the result. */
function amountOf({ schema, operation, fragmentDefinitions, variableValues }: ValidatedExecutionArgs): EstimatedCost {
  const known = new Map<string, EstimatedCost>()

  const ofFragment = (name: string): EstimatedCost => {
    const found = known.get(name)
    if (found !== undefined) return found
    const fragment = fragmentDefinitions[name]
    const type = fragment && schema.getType(fragment.typeCondition.name.value)
    const amount = isObjectType(type) ? ofSelections(fragment?.selectionSet, type) : nothing
    known.set(name, amount)
    return amount
  }

  const ofSelections = (set: SelectionSetNode | undefined, type: GraphQLObjectType): EstimatedCost =>
    (set?.selections ?? [])
      .map((each): EstimatedCost => {
        if (each.kind === Kind.FRAGMENT_SPREAD) return ofFragment(each.name.value)
        return each.kind === Kind.FIELD ? ofField(each, type) : ofSelections(each.selectionSet, type)
      })
      .reduce(plus, nothing)

  const ofField = (node: FieldNode, parent: GraphQLObjectType): EstimatedCost => {
    if (isIntrospection(node.name.value)) return { ...nothing, nodes: INTROSPECTION, values: 1 }
    const field = parent.getFields()[node.name.value]
    const type: GraphQLNamedOutputType | undefined = field && getNamedType(field.type)
    const inner = isObjectType(type) ? ofSelections(node.selectionSet, type) : nothing
    if (field?.extensions.isEach === true) return { ...nothing, each: inner }
    const estimate = field?.extensions.estimate as Estimate | undefined
    const { nodes, items = 1 } = estimate?.(argumentsOf(node)) ?? { nodes: 0 }
    return {
      nodes: nodes + inner.nodes + items * inner.each.nodes,
      values: 1 + inner.values + items * inner.each.values,
      each: nothing.each,
    }
  }

  const argumentsOf = (node: FieldNode): { readonly [name: string]: unknown } =>
    Object.fromEntries(
      (node.arguments ?? [])
        .map(({ name, value }) => [name.value, valueFromASTUntyped(value, variableValues.coerced)])
        .filter(([, value]) => value !== undefined && value !== null),
    )

  const root = schema.getRootType(operation.operation)
  return root ? ofSelections(operation.selectionSet, root) : nothing
}

/** A schema is large; a request seldom needs it twice. */
const INTROSPECTION = 1000

const plus = (one: EstimatedCost, other: EstimatedCost): EstimatedCost => ({
  nodes: one.nodes + other.nodes,
  values: one.values + other.values,
  each: { nodes: one.each.nodes + other.each.nodes, values: one.each.values + other.each.values },
})
