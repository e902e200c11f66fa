import type { Operation } from '../../model/operation.ts'
import { commandState } from '../../model/perform/perform.ts'
import type { Resource, Thing } from '../../model/resource.ts'
import { isDeleted, operationsOnExisting, resources, whyNotNow } from '../../model/resources.ts'
import type { Stored, StoredDeal } from '../../store/port/store.ts'
import { membersSchema } from '../../values/members.ts'
import { mayDo, mayOnlyRead } from '../../values/role.ts'
import { choice } from '../../values/text.ts'
import { isSameId } from '../../values/uuid.ts'
import { actionsPage } from '../../views/actions/view.ts'
import { showCommand } from '../../views/commands/read.ts'
import { showEntry } from '../../views/history/read.ts'
import { showOperation } from '../../views/operation/read.ts'
import { readDeal as readShown } from '../../views/parts/shown.ts'
import type { Answer } from '../answer.ts'
import { type Call, type Endpoint, NEEDS_EDITOR } from '../endpoint.ts'
import { targetIn } from '../forms/addressed.ts'
import { resourcesIn } from '../forms/form.ts'
import type { Description } from '../openapi/description.ts'
import { samplesFor } from '../reference/every-form.ts'
import { commandDocument, entryDocument, thingDocument } from '../respond/documents.ts'
import { type Problem, refusalProblem, withView } from '../respond/problem.ts'
import { overview, thing } from '../respond/success.ts'
import { showDeletedThing, showThing } from './thing-views.ts'

const reading = { method: 'GET', role: 'reader', offers: 'resource' } as const

const readsCommand: Description = {
  group: 'Commands',
  answers: [thing('commands')],
  refuses: ['command-not-found'],
}

/** Single things: each thing, what can be done with it, an entry of its history, a command. */
export const thingReads: readonly Endpoint[] = [
  ...resources.flatMap(readsOf),
  {
    ...reading,
    path: '/rest/commands/:command',
    summary: 'A command',
    describes: readsCommand,
    handle: readCommand,
  },
]

export function titleOf({ plural }: Resource): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}

function readsOf(resource: Resource): readonly Endpoint[] {
  const { name, path, plural } = resource
  const group = titleOf(resource)
  const missing = [`${name}-not-found`, ...(resource.keepsDeleted ? [`${name}-deleted`] : [])] as const
  return [
    {
      ...reading,
      path: `${path}/:id`,
      summary: `A ${name}`,
      describes: { group, answers: [thing(plural)], refuses: missing as Description['refuses'] & object },
      handle: (call) => readThing(resource, call),
    },
    ...(resourcesIn('verb').includes(resource) ? actionReads(resource, missing as never) : []),
    ...entryAddresses(resource).map(({ noun, operation }) => ({
      ...reading,
      path: `${path}/:id/${noun}/:n`,
      summary: 'An entry of the history',
      describes: {
        group: `${group}: History`,
        answers: [thing('history')],
        refuses: [`${name}-not-found`, 'entry-not-found'],
      } as Description,
      handle: (call: Call) => readEntry(resource, call, noun, operation),
    })),
    ...(resourcesIn('deal-command').includes(resource)
      ? [
          {
            ...reading,
            path: `${path}/:id/commands/:command`,
            summary: `A command to the ${name}`,
            describes: readsCommand,
            handle: readCommand,
          },
        ]
      : []),
  ]
}

function actionReads(resource: Resource, missing: NonNullable<Description['refuses']>): readonly Endpoint[] {
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
        refuses: missing,
      },
      handle: (call) => readActions(resource, call),
    },
    {
      ...reading,
      path: `${path}/:id/actions/:operation`,
      summary: 'One of the operations',
      describes: {
        group,
        answers: [overview('DealOperation', 'The operation, and whether it is allowed now.')],
        refuses: [...missing, 'not-found'],
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

function entryAddresses(resource: Resource): readonly { readonly noun: string; readonly operation?: string }[] {
  const nouns = resourcesIn('noun').includes(resource) ? operationsOnExisting(resource) : []
  return [{ noun: 'history' }, ...nouns.map(({ name, words }) => ({ noun: words.noun, operation: name }))]
}

/** The thing that an address names, or why it cannot be shown. */
export async function findThing(
  resource: Resource,
  call: Call,
): Promise<{ readonly thing: Stored } | { readonly problem: Problem }> {
  const read = resource.kinds.id?.read(targetIn(call))
  const id = read !== undefined && 'value' in read ? (read.value as Stored['id']) : undefined
  const found = id === undefined ? undefined : await call.service.store.find(resource, id)
  if (found !== undefined) return { thing: found }
  return { problem: refusalProblem({ code: 'not-found', resource: resource.name, id: call.params.id ?? '' }) }
}

/** The same of a thing that is not deleted. */
async function findLive(
  resource: Resource,
  call: Call,
): Promise<{ readonly thing: Stored } | { readonly problem: Problem }> {
  const found = await findThing(resource, call)
  if ('problem' in found || !isDeleted(found.thing)) return found
  const { id, deletedAt } = found.thing
  const gone = refusalProblem({ code: 'deleted', resource: resource.name, id, deletedAt: String(deletedAt) })
  return { problem: await withView(gone, () => showDeletedThing(resource, found.thing, call)) }
}

async function readThing(resource: Resource, call: Call): Promise<Answer> {
  const found = await findLive(resource, call)
  if ('problem' in found) return found
  const forReader = mayOnlyRead(call)
  const document = thingDocument(resource, found.thing, call.service.addresses, forReader)
  const validators = forReader ? { ...found.thing, forReader } : found.thing
  if (call.representation !== 'html') return { status: 200, document, validators }
  const page = await showThing(resource, found.thing, call)
  return { status: 200, document: { ...document, ...(page && { page }) }, validators }
}

async function readActions(resource: Resource, call: Call): Promise<Answer> {
  const found = await findLive(resource, call)
  if ('problem' in found) return found
  const { addresses } = call.service
  const operations = operationsOnExisting(resource)
  const now = new Date().toISOString()
  const self = addresses.thing(resource, found.thing.id)
  const items = operations.map((operation) => ({
    ...actionOf(operation, found.thing, now, call),
    ...addressOf(operation, self),
  }))
  const links = { self: `${self}/actions`, [resource.name]: self }
  const columns = ['operation', 'title', 'action', 'allowed', 'reason', 'params', 'method', 'href']
  const json = JSON.stringify({ items, links })
  const actions = operations.map((operation, at) => ({ operation, whyNot: items[at]?.reason }))
  const page =
    resource.name === 'deal'
      ? { page: () => actionsPage({ deal: readShown(found.thing.json), actions, addresses }) }
      : undefined
  return { status: 200, document: { title: 'What can be done', kind: 'page', item: 'action', columns, json, ...page } }
}

function actionOf(operation: Operation, stored: Stored, now: string, caller: Pick<Call, 'role'>) {
  const { name, title, words, params, examples } = operation
  const isBarred = !mayDo(caller, operation.role ?? operation.on.roles.writes)
  const reason = isBarred ? NEEDS_EDITOR : whyNotNow(operation, JSON.parse(stored.json) as Thing, now)
  return {
    operation: name,
    title,
    action: words.action,
    allowed: reason === undefined,
    ...(reason !== undefined && { reason }),
    params: { ...membersSchema(params), examples },
  }
}

/** How it is asked for as a verb. */
const addressOf = ({ name }: Operation, self: string) => ({ method: 'PUT', href: `${self}/${name}` })

/** One operation: whether it is allowed, what it takes, and for people the same request in every form. */
async function readAction(resource: Resource, call: Call): Promise<Answer> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  const operation = operationsOnExisting(resource).find(({ name }) => name === call.params.operation)
  if (operation === undefined) {
    const detail = `There is no operation ${JSON.stringify(call.params.operation)}.`
    return { problem: { code: 'not-found', detail } }
  }
  const live = await findLive(resource, call)
  if ('problem' in live) return live
  const self = call.service.addresses.thing(resource, live.thing.id)
  const members = actionOf(operation, live.thing, new Date().toISOString(), call)
  const links = { self: `${self}/actions/${operation.name}`, [resource.name]: self }
  const page =
    call.representation === 'html' && resource.name === 'deal' ? operationView(operation, live.thing, call) : undefined
  const json = JSON.stringify({ ...members, ...addressOf(operation, self), links })
  return {
    status: 200,
    document: { title: operation.title, kind: 'resource', item: 'action', json, ...(page && { page }) },
  }
}

function operationView(operation: Operation, stored: Stored, call: Call) {
  const deal = stored as StoredDeal
  return showOperation(operation, deal, samplesFor(call)(operation, deal), call)
}

async function readEntry(resource: Resource, call: Call, noun: string, operation: string | undefined): Promise<Answer> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  const { store, addresses } = call.service
  const n = call.params.n ?? ''
  const event = /^[1-9]\d{0,14}$/.test(n) ? await store.event(found.thing.id, Number(n)) : undefined
  if (event === undefined || (operation !== undefined && event.operation !== operation)) {
    return { problem: { code: 'entry-not-found', detail: `The ${resource.name} has no entry ${n} under ${noun}.` } }
  }
  const validators = { revision: event.revision, updatedAt: event.at }
  const document = entryDocument(resource, event, found.thing.id, noun, addresses)
  const page =
    call.representation === 'html' && resource.name === 'deal'
      ? showEntry(event, found.thing as StoredDeal, call)
      : undefined
  return { status: 200, document: { ...document, ...(page && { page }) }, validators }
}

async function readCommand(call: Call): Promise<Answer> {
  const { store, addresses } = call.service
  // The id of a command from before a format of that name was known.
  const whole = call.suffix === '' ? undefined : await store.command(`${call.params.command}${call.suffix}`)
  const id = whole?.id ?? call.params.command ?? ''
  const command = whole ?? (await store.command(id))
  const ofThing = call.params.id
  if (command === undefined || (ofThing !== undefined && !isSameId(String(command.subject), ofThing))) {
    return { problem: { code: 'command-not-found', detail: `There is no command ${JSON.stringify(id)}.` } }
  }
  const forReader = mayOnlyRead(call)
  const document = commandDocument(command, addresses, forReader)
  const page = call.representation === 'html' ? await showCommand(document, call) : undefined
  const validators = { ...commandState(command), forReader: forReader && command.refusal !== null }
  return { status: 200, document: { ...document, ...(page && { page }) }, validators }
}
