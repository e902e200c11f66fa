import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { Operation } from '../../../../model/operation.ts'
import { operations } from '../../../../model/resources.ts'
import type { DataObject } from '../../../../representations/read-document.ts'
import type { Kind } from '../../../../values/kinds/kind.ts'
import { isDraft, membersDraft } from '../../../respond/drafts.ts'
import { askChange, type WantedChange } from '../../parts/ask-change.ts'
import { mutationName, pascalCase } from '../../parts/names.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { change, oneThing } from './costs.ts'
import { readId, typeOf } from './kind-types.ts'
import { readThingDocument } from './related.ts'
import { thingTypes } from './things.ts'

/** The operation of each mutation. */
export const operationOf: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [mutationName(operation), operation]),
)

/** The arguments that every mutation has besides the parameters of its operation. */
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
const payloads: ReadonlyMap<string, GraphQLObjectType> = new Map(
  [...thingTypes.values()].map(({ resource, thing }) => [
    resource.name,
    new GraphQLObjectType<Payload, GraphqlContext>({
      name: `${pascalCase(resource.name)}Payload`,
      fields: {
        [resource.name]: {
          type: thing,
          description: 'As it is afterwards; null if it is gone for good.',
          extensions: { estimate: oneThing },
          resolve: (payload) => payload.thing,
        },
        replayed: { type: new GraphQLNonNull(GraphQLBoolean), description: 'Whether it was decided before.' },
      },
    }),
  ]),
)

/** `holdDeal(id, reason, commandId, expectedRevision, dryRun) { deal { … } }` */
export const changeField = (operation: Operation): GraphQLFieldConfig<unknown, GraphqlContext> => {
  const type = payloads.get(operation.on.name)
  if (type === undefined) throw new Error(`there is no payload of ${operation.on.name}`)
  return {
    type,
    description: operation.title,
    args: argumentsOf(operation),
    extensions: { estimate: change },
    resolve: (_source, args, { call }) => perform(operation, args, call),
  }
}

function argumentsOf({ to, params }: Operation): GraphQLFieldConfigArgumentMap {
  const own = Object.entries(params).map(([name, { kind, required }]) => {
    const type = typeOf(kind)
    return [name, { type: required && !kind.nullable ? new GraphQLNonNull(type) : type }] as const
  })
  return {
    ...(to !== 'nothing' && { id: { type: new GraphQLNonNull(GraphQLID) } }),
    ...Object.fromEntries(own),
    ...around,
  }
}

async function perform(
  { on: resource, to, words, params: members }: Operation,
  args: { readonly [name: string]: unknown },
  call: GraphqlContext['call'],
): Promise<Payload | Error> {
  const { id, commandId, expectedRevision, dryRun, ...sent } = args
  const params = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const kind = members[name]?.kind
      return [name, kind?.refersTo === undefined ? value : readId(kind, value)]
    }),
  )
  const wanted: WantedChange = {
    resource,
    ...(to !== 'nothing' && { target: readId(resource.kinds.id as Kind<unknown>, id) }),
    change: { action: words.action, params },
    ...{ commandId, expectedRevision, dryRun },
  }
  const asked = await askChange(wanted, call)
  if ('problem' in asked) return problemError(asked.problem)
  const { thing, removed, replayed } = asked.applied
  const json = isDraft(wanted, asked.applied) ? membersDraft(thing) : thing.json
  return { thing: removed ? null : readThingDocument(json), replayed }
}
