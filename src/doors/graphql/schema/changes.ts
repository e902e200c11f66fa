import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  type GraphQLError,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLString,
  Kind as NodeKind,
  valueFromASTUntyped,
} from 'graphql'
import type { RefusedCall } from '../../../http/contract/problems/problem.ts'
import type { Applied } from '../../../http/contract/write.ts'
import { apply } from '../../../http/write/write.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { grouped } from '../../../values/json/places.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { memberIn, withMembers } from '../../../values/members.ts'
import { writeByName } from '../../kit/call-by-name.ts'
import { argumentsOf } from '../../kit/described.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { change, oneThing } from './costs.ts'
import { fieldTypeOf, needed, readId, wholeTypeOf } from './kind-types.ts'
import { readThingDocument } from './related.ts'
import { typesOf } from './things.ts'

/** The operation of a mutation. */
export const mutated = (name: string, { byAction }: Schema): Operation | undefined => byAction.get(pascalCase(name))

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
        replayed: { type: needed(GraphQLBoolean), description: 'Whether it was decided before.' },
      },
    }),
)

/** `holdDeal(id, reason, commandId, expectedRevision, dryRun) { deal { … } }` */
export const changeField = (operation: Operation): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: payloadOf(operation.on),
  description: operation.title,
  args: typedArguments(operation),
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

function typedArguments(operation: Operation): GraphQLFieldConfigArgumentMap {
  const { plain, groups } = grouped(argumentsOf(operation).map((argument) => [argument.name, argument]))
  const own = plain.map(({ name, member: { kind, required } }) => {
    const type = fieldTypeOf(name, kind, operation.on.schema)
    return [name, { type: required && !kind.nullable ? needed(type) : type }] as const
  })
  const inputs = [...groupInputs(operation.on)].filter(([name]) => groups.some((group) => group.name === name))
  return { ...Object.fromEntries([...own, ...inputs]), ...words }
}

/** The groups of members that a change sets: those that are not given stay. */
const groupInputs = bySchema(
  ({ name: of, kinds, schema }: Resource): ReadonlyMap<string, GraphQLArgumentConfig> =>
    new Map(
      grouped(Object.entries<Kind<unknown>>(kinds)).groups.map(({ name: group, places }) => {
        const fields = places.map(({ key, name, member: kind }) => [key, { type: wholeTypeOf(name, kind, schema) }])
        const name = `${pascalCase(of)}${pascalCase(group)}Input`
        return [group, { type: new GraphQLInputObjectType({ name, fields: Object.fromEntries(fields) }) }]
      }),
    ),
)

const words = {
  commandId: { type: GraphQLString, description: 'It is decided once under this id.' },
  expectedRevision: { type: GraphQLInt, description: 'Refused if the revision is another.' },
  dryRun: { type: GraphQLBoolean, description: 'Every check, and nothing is stored.' },
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
  operation: Operation,
  { commandId, expectedRevision, dryRun, ...sent }: { readonly [name: string]: unknown },
  call: GraphqlContext['call'],
): Promise<Applied | RefusedCall> {
  const ids = argumentsOf(operation).filter(({ name, kind }) => name === 'id' || kind.refersTo !== undefined)
  const read = ids.flatMap(({ name, kind }) => {
    const id = memberIn(sent, name)
    return id === undefined ? [] : [[name, readId(kind, id)] as const]
  })
  const asked = writeByName(operation, withMembers(sent, read))
  return apply({ ...asked, commandId, expectedRevision, dryRun }, call)
}
