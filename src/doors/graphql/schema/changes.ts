import {
  GraphQLBoolean,
  type GraphQLError,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  Kind as NodeKind,
  valueFromASTUntyped,
} from 'graphql'
import type { RefusedCall } from '../../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../../http/contract/write.ts'
import { apply } from '../../../http/write/write.ts'
import { bySchema } from '../../../model/by-schema.ts'
import type { Operation, Resource, Schema } from '../../../model/schema.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { change, oneThing } from './costs.ts'
import { readId, typeOf } from './kind-types.ts'
import { readThingDocument } from './related.ts'
import { typesOf } from './things.ts'

/** The operation of a mutation. */
export const mutated = (name: string, { byAction }: Schema): Operation | undefined => byAction.get(pascalCase(name))

/** The arguments of every mutation in addition to the parameters of its operation. */
const around = {
  commandId: { type: GraphQLString, description: 'It is decided once under this id.' },
  expectedRevision: { type: GraphQLInt, description: 'Refused if the revision is another.' },
  dryRun: { type: GraphQLBoolean, description: 'Every check, and nothing is stored.' },
}

interface Payload {
  readonly thing: DataObject | null
  readonly replayed: boolean
}

/** One for each resource, with the thing under its name. */
const payloadOf = bySchema(
  (resource: Resource) =>
    new GraphQLObjectType<Payload, GraphqlContext>({
      name: `${pascalCase(resource.name)}Payload`,
      fields: {
        [resource.name]: {
          type: typesOf(resource).thing,
          description: 'As it is afterwards; null if it is gone for good.',
          extensions: { estimate: oneThing },
          resolve: (payload) => payload.thing,
        },
        replayed: { type: new GraphQLNonNull(GraphQLBoolean), description: 'Whether it was decided before.' },
      },
    }),
)

/** `holdDeal(id, reason, commandId, expectedRevision, dryRun) { deal { … } }` */
export const changeField = (operation: Operation): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: payloadOf(operation.on),
  description: operation.title,
  args: argumentsOf(operation),
  extensions: { estimate: change },
  resolve: async (_source, args, { call, nextChange }) => {
    const among = nextChange()
    const around = among === undefined ? call.around : { ...call.around, among }
    const applied = await askFor(operation, args, { ...call, around })
    if ('problem' in applied) return problemError(applied.problem)
    const { thing, removed, replayed } = applied.outcome
    return { thing: removed ? null : readThingDocument(thing.json), replayed }
  },
})

function argumentsOf({ to, params, on }: Operation): GraphQLFieldConfigArgumentMap {
  const own = Object.entries(params).map(([name, { kind, required }]) => {
    const type = typeOf(kind, on.schema)
    return [name, { type: required && !kind.nullable ? new GraphQLNonNull(type) : type }] as const
  })
  return {
    ...(to !== 'nothing' && { id: { type: new GraphQLNonNull(GraphQLID) } }),
    ...Object.fromEntries(own),
    ...around,
  }
}

/**
 * Why a mutation with a missing or unknown parameter is refused: in the order of all checks, so that a thing that does
 * not exist is reported first. Nothing is written.
 */
export async function refusalOf(
  misuse: GraphQLError,
  variables: { readonly [name: string]: unknown },
  call: GraphqlContext['call'],
): Promise<GraphQLError> {
  const [node] = misuse.nodes ?? []
  const operation = node?.kind === NodeKind.FIELD ? mutated(node.name.value, call.schema) : undefined
  if (operation === undefined || node?.kind !== NodeKind.FIELD) return misuse
  const args = (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)])
  const sent = { ...Object.fromEntries(args), dryRun: true }
  const asked = await askFor(operation, sent, { ...call, around: { ...call.around, dryRun: true } })
  return 'problem' in asked ? problemError(asked.problem, node) : misuse
}

function askFor(
  { on: resource, to, words, params: members }: Operation,
  args: { readonly [name: string]: unknown },
  call: GraphqlContext['call'],
): Promise<Applied | RefusedCall> {
  const { id, commandId, expectedRevision, dryRun, ...sent } = args
  const params = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const kind = members[name]?.kind
      return [name, kind?.refersTo === undefined ? value : readId(kind, value)]
    }),
  )
  const asked: Write = {
    resource: resource.name,
    ...(to !== 'nothing' && { target: readId(resource.kinds.id as Kind<unknown>, id) }),
    change: { action: words.action, params },
    ...{ commandId, expectedRevision, dryRun },
  }
  return apply(asked, call)
}
