import type { Markings } from '../../model/deal/deal.ts'
import { dealOperations, whyNotNow } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import { commandState } from '../../model/perform.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { membersSchema } from '../../values/members.ts'
import { mayOnlyRead } from '../../values/role.ts'
import { isUuid } from '../../values/uuid.ts'
import { actionsPage } from '../../views/actions/view.ts'
import { showCommand } from '../../views/commands/read.ts'
import { showDeal } from '../../views/deal/read.ts'
import { showDeletedDeal } from '../../views/deal/read-refused.ts'
import { showEntry } from '../../views/history/read.ts'
import { showOperation } from '../../views/operation/read.ts'
import { readDeal as readShown } from '../../views/parts/shown.ts'
import type { Addresses } from '../addresses.ts'
import type { Answer } from '../answer.ts'
import { type Call, type Endpoint, NEEDS_EDITOR } from '../endpoint.ts'
import { DEALS } from '../forms/form.ts'
import type { Description } from '../openapi/description.ts'
import { samplesFor } from '../reference/every-form.ts'
import { commandDocument, dealDocument, entryDocument } from '../respond/documents.ts'
import { type Problem, refusalProblem, withView } from '../respond/problem.ts'
import { overview, thing } from '../respond/success.ts'

const reading = { method: 'GET', role: 'reader', offers: 'resource' } as const

const readsDeal: Description = {
  group: 'Deals',
  answers: [thing('deals')],
  refuses: ['deal-not-found', 'deal-deleted'],
}
const readsActions: Description = {
  group: 'Deals',
  answers: [overview('Actions', 'Every operation, and whether it is allowed now.')],
  refuses: ['deal-not-found', 'deal-deleted'],
}
const readsAction: Description = {
  group: 'Deals',
  answers: [overview('DealOperation', 'The operation, and whether it is allowed now.')],
  refuses: ['deal-not-found', 'deal-deleted', 'not-found'],
  parameter: {
    description: 'The operation.',
    schema: fieldOf(collections.history, 'operation').kind.schema,
    example: 'hold',
  },
}
const readsEntry: Description = {
  group: 'Deals: History',
  answers: [thing('history')],
  refuses: ['deal-not-found', 'entry-not-found'],
}
const readsCommand: Description = {
  group: 'Commands',
  answers: [thing('commands')],
  refuses: ['command-not-found'],
}

/** Single things about deals: the deal, what can be done with it, an entry of its history, a command. */
export const dealReads: readonly Endpoint[] = [
  { ...reading, path: `${DEALS}/:id`, summary: 'A deal', describes: readsDeal, handle: readDeal },
  {
    ...reading,
    path: `${DEALS}/:id/actions`,
    summary: 'What can be done with the deal',
    describes: readsActions,
    handle: readActions,
  },
  {
    ...reading,
    path: `${DEALS}/:id/actions/:operation`,
    summary: 'One of the operations',
    describes: readsAction,
    handle: readAction,
  },
  ...entryAddresses().map(({ noun, operation }) => ({
    ...reading,
    path: `${DEALS}/:id/${noun}/:n`,
    summary: 'An entry of the history',
    describes: readsEntry,
    handle: (call: Call) => readEntry(call, noun, operation),
  })),
  {
    ...reading,
    path: '/rest/commands/:command',
    summary: 'A command',
    describes: readsCommand,
    handle: readCommand,
  },
  {
    ...reading,
    path: `${DEALS}/:id/commands/:command`,
    summary: 'A command to the deal',
    describes: readsCommand,
    handle: readCommand,
  },
]

function entryAddresses(): readonly { readonly noun: string; readonly operation?: string }[] {
  return [{ noun: 'history' }, ...dealOperations.map(({ name, words }) => ({ noun: words.noun, operation: name }))]
}

/** The deal that an address names, or why it cannot be shown. */
export async function findDeal(call: Call): Promise<{ deal: StoredDeal } | { problem: Problem }> {
  const id = call.params.id ?? ''
  const deal = isUuid(id) ? await call.service.store.deal(id) : undefined
  if (deal === undefined) return { problem: refusalProblem({ code: 'deal-not-found', deal: id }) }
  return { deal }
}

async function readDeal(call: Call): Promise<Answer> {
  const found = await findDeal(call)
  if ('problem' in found) return found
  const { deal } = found
  if (deal.deletedAt !== null)
    return { problem: await withView(gone(deal), () => showDeletedDeal(deal, call, samplesFor(call))) }
  const forReader = mayOnlyRead(call)
  const document = dealDocument(deal, call.service.addresses, forReader)
  const validators = forReader ? { ...deal, forReader } : deal
  if (call.representation !== 'html') return { status: 200, document, validators }
  const page = await showDeal(deal, call, samplesFor(call))
  return { status: 200, document: { ...document, page }, validators }
}

const gone = ({ id, deletedAt }: StoredDeal): Problem =>
  refusalProblem({ code: 'deal-deleted', deal: id, deletedAt: deletedAt ?? '' })

async function readActions(call: Call): Promise<Answer> {
  const found = await findDeal(call)
  if ('problem' in found) return found
  if (found.deal.deletedAt !== null)
    return { problem: await withView(gone(found.deal), () => showDeletedDeal(found.deal, call, samplesFor(call))) }
  const { addresses } = call.service
  const deal = JSON.parse(found.deal.json) as Markings
  const now = new Date().toISOString()
  const items = dealOperations.map((operation) => ({
    ...actionOf(operation, deal, now, call),
    ...addressOf(operation, found.deal.id, addresses),
  }))
  const links = { self: addresses.ofDeal(found.deal.id, 'actions'), deal: addresses.deal(found.deal.id) }
  const columns = ['operation', 'title', 'action', 'allowed', 'reason', 'params', 'method', 'href']
  const json = JSON.stringify({ items, links })
  const actions = dealOperations.map((operation, at) => ({ operation, whyNot: items[at]?.reason }))
  const page = () => actionsPage({ deal: readShown(found.deal.json), actions, addresses })
  return { status: 200, document: { title: 'What can be done', kind: 'page', item: 'action', columns, json, page } }
}

function actionOf(operation: Operation, deal: Markings, now: string, caller: Pick<Call, 'role'>) {
  const { name, title, words, params, examples } = operation
  const reason = mayOnlyRead(caller) ? NEEDS_EDITOR : whyNotNow(operation, deal, now)
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
const addressOf = ({ name }: Operation, deal: string, addresses: Addresses) => ({
  method: 'PUT',
  href: addresses.ofDeal(deal, name),
})

/** One operation: whether it is allowed, what it takes, and for people the same request in every form. */
async function readAction(call: Call): Promise<Answer> {
  const found = await findDeal(call)
  if ('problem' in found) return found
  const { deal } = found
  const { addresses } = call.service
  const operation = dealOperations.find(({ name }) => name === call.params.operation)
  if (operation === undefined) {
    const detail = `There is no operation ${JSON.stringify(call.params.operation)}.`
    return { problem: { code: 'not-found', detail } }
  }
  if (deal.deletedAt !== null)
    return { problem: await withView(gone(deal), () => showDeletedDeal(deal, call, samplesFor(call))) }
  const members = actionOf(operation, JSON.parse(deal.json) as Markings, new Date().toISOString(), call)
  const links = { self: addresses.ofDeal(deal.id, `actions/${operation.name}`), deal: addresses.deal(deal.id) }
  const page =
    call.representation === 'html' ? showOperation(operation, deal, samplesFor(call)(operation, deal), call) : undefined
  const json = JSON.stringify({ ...members, ...addressOf(operation, deal.id, addresses), links })
  return {
    status: 200,
    document: { title: operation.title, kind: 'resource', item: 'action', json, ...(page && { page }) },
  }
}

async function readEntry(call: Call, noun: string, operation: string | undefined): Promise<Answer> {
  const found = await findDeal(call)
  if ('problem' in found) return found
  const { store, addresses } = call.service
  const n = call.params.n ?? ''
  const event = /^[1-9]\d{0,14}$/.test(n) ? await store.event(found.deal.id, Number(n)) : undefined
  if (event === undefined || (operation !== undefined && event.operation !== operation)) {
    return { problem: { code: 'entry-not-found', detail: `The deal has no entry ${n} under ${noun}.` } }
  }
  const validators = { revision: event.revision, updatedAt: event.at }
  const document = entryDocument(event, found.deal.id, noun, addresses)
  const page = call.representation === 'html' ? showEntry(event, found.deal, call) : undefined
  return { status: 200, document: { ...document, ...(page && { page }) }, validators }
}

async function readCommand(call: Call): Promise<Answer> {
  const { store, addresses } = call.service
  // The id of a command from before a format of that name was known.
  const whole = call.suffix === '' ? undefined : await store.command(`${call.params.command}${call.suffix}`)
  const id = whole?.id ?? call.params.command ?? ''
  const command = whole ?? (await store.command(id))
  const ofDeal = call.params.id
  if (command === undefined || (ofDeal !== undefined && command.deal !== ofDeal)) {
    return { problem: { code: 'command-not-found', detail: `There is no command ${JSON.stringify(id)}.` } }
  }
  const forReader = mayOnlyRead(call)
  const document = commandDocument(command, addresses, forReader)
  const page = call.representation === 'html' ? await showCommand(document, call) : undefined
  const validators = { ...commandState(command), forReader: forReader && command.refusal !== null }
  return { status: 200, document: { ...document, ...(page && { page }) }, validators }
}
