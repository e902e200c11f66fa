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
import { type Action, type Argument, actionOf, byPlace, shapeOf } from '../../../http/describe/vocabulary.ts'
import { apply } from '../../../http/write/write.ts'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import { membersToChange, membersToCreate } from '../../../model/declaration/resource.ts'
import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { memberIn, optional, withMembers } from '../../../values/members.ts'
import { writeByName } from '../../kit/call-by-name.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { change, oneThing } from './costs.ts'
import { fieldTypeOf, needed, readId, wholeTypeOf } from './kind-types.ts'
import { readThingDocument } from './related.ts'
import { draftOf, typesOf } from './things.ts'

/** The operation of a mutation. */
export const mutated = (name: string, { byAction }: Schema): Operation | undefined => byAction.get(pascalCase(name))

interface Payload {
  readonly thing: DataObject | null
  readonly draft: DataObject | null
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
          description: 'As it is afterwards; null if it is gone for good, or would only be made.',
          extensions: { estimate: oneThing },
          resolve: (payload) => payload.thing,
        },
        draft: { type: draftOf(resource), description: 'What a dry run would make; it has no id.' },
        replayed: { type: needed(GraphQLBoolean), description: 'Whether it was decided before.' },
      },
    }),
)

/** `holdDeal(id, reason, commandId, expectedRevision, dryRun) { deal { … } }` */
export const changeField = (operation: Operation): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: payloadOf(operation.on),
  description: operation.title,
  args: typedArguments(operation.on, actionOf(operation).places),
  extensions: { estimate: change },
  resolve: async (_source, args, { call, nextChange }) => {
    const among = nextChange()
    const around = among === undefined ? call.around : { ...call.around, among }
    const applied = await askFor(operation, args, { ...call, around })
    if ('problem' in applied) return problemError(applied.problem)
    return payloadIn(applied)
  },
})

function payloadIn({ outcome, isDraft }: Applied): Payload {
  const { thing, removed, replayed } = outcome
  const document = removed ? null : readThingDocument(thing.json)
  return isDraft ? { thing: null, draft: document, replayed } : { thing: document, draft: null, replayed }
}

/** `upsertDeal(by: { reference: "A-0004" }, name, price, …)`: makes the thing if none has the value. */
export const upsertField = (resource: Resource): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type: payloadOf(resource),
  description: `Change the ${resource.name} with a unique value, or make it`,
  args: { by: { type: needed(keyInput(resource)) }, ...typedArguments(resource, byPlace(attributesOf(resource))) },
  extensions: { estimate: change },
  resolve: async (_source, { by, commandId, expectedRevision, dryRun, ...sent }, { call, nextChange }) => {
    const among = nextChange()
    const around = among === undefined ? call.around : { ...call.around, among }
    const values = Object.entries(by as object).filter(([, value]) => value !== null)
    const target = Object.fromEntries(values.map(([name, value]) => [name.replace('_', '.'), value]))
    const attributes = withKeys(attributesOf(resource), sent)
    const asked = { resource: resource.name, target, change: { attributes, makes: true } }
    const applied = await apply({ ...asked, commandId, expectedRevision, dryRun }, { ...call, around })
    return 'problem' in applied ? problemError(applied.problem) : payloadIn(applied)
  },
})

/** The fields that a creation and a change set; an upsert takes any of them. */
const attributesOf = (resource: Resource): readonly Argument[] =>
  Object.entries({ ...membersToCreate(resource), ...membersToChange(resource) }).map(([name, { kind }]) => ({
    name,
    ...optional(kind),
  }))

const keyInput = ({ name, uniques, kinds, schema }: Resource): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${pascalCase(name)}Key`,
    description: 'One of them.',
    fields: Object.fromEntries(
      uniques.flatMap((unique) => {
        const kind = kinds[unique]
        return kind === undefined ? [] : [[unique.replace('.', '_'), { type: fieldTypeOf(unique, kind, schema) }]]
      }),
    ),
  })

function typedArguments(on: Resource, { plain, groups }: Action['places']): GraphQLFieldConfigArgumentMap {
  const own = plain.map(({ name, member: { kind, required } }) => {
    const type = fieldTypeOf(name, kind, on.schema)
    return [name, { type: required && !kind.nullable ? needed(type) : type }] as const
  })
  const inputs = [...groupInputs(on)].filter(([name]) => groups.some((group) => group.name === name))
  return { ...Object.fromEntries([...own, ...inputs]), ...words }
}

/** The groups of members that a change sets: those that are not given stay. */
const groupInputs = bySchema(
  (resource: Resource): ReadonlyMap<string, GraphQLArgumentConfig> =>
    new Map(
      shapeOf(resource).groups.map(({ name: group, places }) => {
        const fields = places.map(({ key, name, member: { kind } }) => [
          key,
          { type: wholeTypeOf(name, kind, resource.schema) },
        ])
        const name = `${pascalCase(resource.name)}${pascalCase(group)}Input`
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
  const asked = writeByName(operation, withKeys(actionOf(operation).takes, sent))
  return apply({ ...asked, commandId, expectedRevision, dryRun }, call)
}

/** Ids are texts in GraphQL. */
function withKeys(
  taken: readonly Argument[],
  sent: { readonly [name: string]: unknown },
): { readonly [name: string]: unknown } {
  const ids = taken.filter(({ name, kind }) => name === 'id' || kind.refersTo !== undefined)
  const read = ids.flatMap(({ name, kind }) => {
    const id = memberIn(sent, name)
    return id === undefined ? [] : [[name, readId(kind, id)] as const]
  })
  return withMembers(sent, read)
}
