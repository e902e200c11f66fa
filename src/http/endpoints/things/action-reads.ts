import { type Told, tell } from '../../../languages/tell.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../../model/declaration/schema.ts'
import { mayEver } from '../../../model/intent/caller.ts'
import { operationsOnExisting, whyNotNow } from '../../../model/schema/resources.ts'
import { mayDoWith } from '../../../queries/parse/sight.ts'
import type { Stored } from '../../../store/port/desk.ts'
import type { Reason } from '../../../values/faults/fault.ts'
import { choice } from '../../../values/kinds/text.ts'
import { membersSchema } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, type Endpoint, NEEDS_EDITOR } from '../../contract/endpoint.ts'
import { noSuch } from '../../contract/problems/problem.ts'
import { overview } from '../../contract/success.ts'
import { findLive, findThing, missingThing, titleOf } from './find-thing.ts'

const reading = { method: 'GET', role: 'reader', offers: 'resource' } as const

/** The operations on a thing, and whether they are allowed now: as a list and one by one. */
export function actionReads(resource: Resource): readonly Endpoint[] {
  const { name, path } = resource
  const group = titleOf(resource)
  return [
    {
      ...reading,
      path: `${path}/:id/actions`,
      summary: `What can be done with the ${name}`,
      describes: {
        group,
        answers: [overview('Actions', 'Every operation, and whether it is allowed now.')],
        refuses: missingThing(resource),
      },
      handle: (call) => readActions(resource, call),
    },
    {
      ...reading,
      path: `${path}/:id/actions/:operation`,
      summary: 'One of the operations',
      describes: {
        group,
        answers: [overview('OperationDescription', 'The operation, and whether it is allowed now.')],
        refuses: [...missingThing(resource), 'not-found'],
        parameter: {
          description: 'The operation.',
          schema: choice(operationsOnExisting(resource).map((operation) => operation.name)).schema,
          example: operationsOnExisting(resource)[0]?.name ?? '',
        },
      },
      handle: (call) => readAction(resource, call),
    },
  ]
}

async function readActions(resource: Resource, call: Call): Promise<Answer> {
  const found = await findLive(resource, call)
  if ('problem' in found) return found
  const { addresses } = call.service
  const operations = operationsOnExisting(resource)
  const now = new Date().toISOString()
  const self = addresses.thing(resource, found.thing.id)
  const actions = operations.map((operation) => ({ operation, whyNot: whyNotFor(call, operation, found.thing, now) }))
  const items = actions.map(({ operation, whyNot }) => ({
    ...actionMembers(operation, whyNot),
    ...addressOf(operation, self),
  }))
  const links = { self: `${self}/actions`, [resource.name]: self }
  const columns = ['operation', 'title', 'action', 'allowed', 'reason', 'params', 'method', 'href']
  const json = JSON.stringify({ items, links })
  return {
    status: 200,
    document: { title: 'What can be done', kind: 'page', item: 'action', columns, json },
    shown: { screen: 'actions', resource, thing: found.thing, actions },
  }
}

/** Why the caller may not do an operation now. */
const whyNotFor = (call: Pick<Call, 'role' | 'desk'>, operation: Operation, { json }: Stored, now: string) =>
  mayEver(call, operation.on, operation) && mayDoWith(call.desk.caller, operation, json)
    ? whyNotNow(operation, JSON.parse(json) as Thing, now)
    : NEEDS_EDITOR

const actionMembers = ({ name, title, words, params, examples }: Operation, whyNot: Reason | Told | undefined) => ({
  operation: name,
  title,
  action: words.action,
  allowed: whyNot === undefined,
  ...(whyNot !== undefined && { reason: tell(whyNot) }),
  params: { ...membersSchema(params), examples },
})

/** Its address in the verb form. */
const addressOf = ({ name }: Operation, self: string) => ({ method: 'PUT', href: `${self}/${name}` })

/** One operation: whether it is allowed, its parameters, and on the page its request in every form. */
async function readAction(resource: Resource, call: Call): Promise<Answer> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  const operation = operationsOnExisting(resource).find(({ name }) => name === call.params.operation)
  if (operation === undefined) {
    return { problem: { code: 'not-found', detail: noSuch('operation', call.params.operation ?? '') } }
  }
  const live = await findLive(resource, call)
  if ('problem' in live) return live
  const self = call.service.addresses.thing(resource, live.thing.id)
  const members = actionMembers(operation, whyNotFor(call, operation, live.thing, new Date().toISOString()))
  const links = { self: `${self}/actions/${operation.name}`, [resource.name]: self }
  const json = JSON.stringify({ ...members, ...addressOf(operation, self), links })
  return {
    status: 200,
    document: { title: operation.title, kind: 'resource', item: 'action', json },
    shown: { screen: 'action', operation, thing: live.thing },
  }
}
