import { operationNamed } from '../../model/deal/operations.ts'
import { commandState, type Intent } from '../../model/perform.ts'
import type { Document } from '../../representations/document.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Guard } from '../../values/guard.ts'
import type { Answer, Headers } from '../answer.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import type { Form, FormRoute, Reply } from '../forms/form.ts'
import { forms } from '../forms/forms.ts'
import { withRefusedForm } from '../pages/refused-deal.ts'
import { newIdProblem } from '../request/command-id.ts'
import { isFromPage } from '../request/from-page.ts'
import { MINIMAL, preferenceApplied, prefersMinimal } from '../request/prefer.ts'
import { readWriting } from '../request/write-options.ts'
import { commandDocument, dealDocument, entryDocument } from '../respond/documents.ts'
import { headerProblem, refusalProblem } from '../respond/problem.ts'
import { commandDraft, DRY_RUN, dealDraft, entryDraft } from './describe-drafts.ts'
import { describeWrite } from './describe-writes.ts'

/** Every way to change a deal: the forms, grouped by address. */
export const dealWrites: readonly Endpoint[] = [...groupByAddress()].map(([, shared]) => {
  const { form, route } = shared[0]
  return {
    method: route.method,
    path: route.path,
    role: 'editor',
    summary: route.summary,
    offers: 'resource',
    parameters: ['dry-run'],
    reads: route.reads,
    describes: describeWrite(form, route),
    handle: (call) => {
      const { form, route } = shared.find(({ form }) => form.recognizes?.(call.body) ?? true) ?? shared[0]
      return write(form, route, call)
    },
  }
})

interface Shared {
  readonly form: Form
  readonly route: FormRoute
}

function groupByAddress(): Map<string, [Shared, ...Shared[]]> {
  const groups = new Map<string, [Shared, ...Shared[]]>()
  for (const form of forms) {
    for (const route of form.routes) {
      const address = `${route.method} ${route.path}`
      const group = groups.get(address)
      if (group === undefined) groups.set(address, [{ form, route }])
      else group.push({ form, route })
    }
  }
  return groups
}

async function write(form: Form, route: FormRoute, call: Call): Promise<Answer> {
  const writing = readWriting(call)
  if ('problem' in writing) return writing
  const asked = form.read(call, route)
  if ('problem' in asked) return asked
  const { dryRun, key } = writing
  if (asked.command !== undefined && key !== undefined) {
    return { problem: headerProblem('Idempotency-Key', 'does not go with a command, which has an id of its own') }
  }
  const intent: Intent = {
    ...asked,
    ...guarding(asked.command, writing.guard),
    ...(key !== undefined && { command: { id: key, by: 'key' } }),
    actor: call.actor,
    form: form.name,
    dryRun,
  }
  const badId = intent.command && (await newIdProblem(intent.command, call.service.store))
  if (badId !== undefined) return { problem: badId }
  const outcome = await call.service.store.perform(intent)
  if (outcome.kind === 'refused') {
    const problem = await withRefusedForm(refusalProblem(outcome.refusal), route.operation, call)
    return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
  }
  if (dryRun) return foreseen(form.reply, outcome, intent, call)
  if (isFromPage(call)) {
    return { status: 303, headers: { location: call.service.addresses.deal(outcome.deal.id), ...replayed(outcome) } }
  }
  return replies[form.reply](outcome, await isCurrent(outcome, call), call)
}

/** At a command's own address If-None-Match speaks of the command; everything else speaks of the deal. */
function guarding(command: Intent['command'], guard: Guard): Pick<Intent, 'guard' | 'command'> {
  const { noneOf, ...rest } = guard
  return command === undefined || noneOf === undefined ? { guard } : { guard: rest, command: { ...command, noneOf } }
}

type Applied = Extract<Outcome, { kind: 'applied' }>

const replayed = ({ replayed }: Outcome): Headers => (replayed ? { 'idempotent-replayed': 'true' } : {})

/** Whether the deal is still as the answer shows it: a repeat may come after later changes. decisions/0013 */
async function isCurrent({ deal, replayed }: Applied, { service }: Call): Promise<boolean> {
  return !replayed || (await service.store.deal(deal.id))?.revision === deal.revision
}

const replies: Record<Reply, (outcome: Applied, current: boolean, call: Call) => Answer> = {
  deal(outcome, current, call) {
    const { deal } = outcome
    if (deal.deletedAt !== null) return { status: 204, headers: { ...replayed(outcome), ...preferenceApplied(call) } }
    const { addresses } = call.service
    const headers = { ...(current && { 'content-location': addresses.deal(deal.id) }), ...replayed(outcome) }
    const validators = current ? { validators: deal } : {}
    if (prefersMinimal(call)) return { status: 204, headers: { ...headers, ...MINIMAL }, ...validators }
    return { status: 200, headers, document: dealDocument(deal, addresses), ...validators }
  },
  created(outcome, current, call) {
    const { deal } = outcome
    const { addresses } = call.service
    const address = addresses.deal(deal.id)
    const headers = { location: address, ...replayed(outcome), ...(current && { 'content-location': address }) }
    const validators = current ? { validators: deal } : {}
    if (prefersMinimal(call)) return { status: 201, headers: { ...headers, ...MINIMAL }, ...validators }
    return { status: 201, headers, document: dealDocument(deal, addresses), ...validators }
  },
  entry(outcome, _current, call) {
    const { deal, event } = outcome
    if (event === undefined) throw new Error('an operation left no event')
    const { addresses } = call.service
    const noun = operationNamed(event.operation)?.words.noun ?? ''
    const headers = { location: addresses.entry(deal.id, noun, event.revision), ...replayed(outcome) }
    const validators = { revision: event.revision, updatedAt: event.at }
    if (prefersMinimal(call)) return { status: 201, headers: { ...headers, ...MINIMAL }, validators }
    return { status: 201, headers, document: entryDocument(event, deal.id, noun, addresses), validators }
  },
  command(outcome, _current, call) {
    const { command } = outcome
    if (command === undefined) throw new Error('a command was not recorded')
    const status = outcome.replayed ? 200 : 201
    const validators = commandState(command)
    if (prefersMinimal(call)) {
      return { status: outcome.replayed ? 204 : 201, headers: { ...replayed(outcome), ...MINIMAL }, validators }
    }
    const document = commandDocument(command, call.service.addresses)
    return { status, headers: replayed(outcome), document, validators }
  },
  empty(outcome, _current, call) {
    const related = `<${call.service.addresses.deal(outcome.deal.id)}>; rel="related"`
    const headers = { link: related, ...replayed(outcome), ...preferenceApplied(call) }
    return { status: prefersMinimal(call) ? 204 : 200, headers }
  },
}

/** What would result, for a write that was only tried; what was done before exists. */
function foreseen(reply: Reply, outcome: Applied, intent: Intent, call: Call): Answer {
  const headers = { ...DRY_RUN, ...replayed(outcome) }
  if (prefersMinimal(call)) return { status: 204, headers: { ...headers, ...MINIMAL } }
  return { status: 200, headers, document: foreseenDocument(reply, outcome, intent, call) }
}

function foreseenDocument(reply: Reply, outcome: Applied, intent: Intent, { service }: Call): Document {
  const { addresses } = service
  const { deal, event, command, replayed } = outcome
  const isNew = intent.deal === undefined && !replayed
  if (reply === 'command' && command !== undefined) {
    return replayed ? commandDocument(command, addresses) : commandDraft(command, isNew, addresses)
  }
  if (reply === 'entry' && event !== undefined) {
    const noun = operationNamed(event.operation)?.words.noun ?? ''
    return replayed ? entryDocument(event, deal.id, noun, addresses) : entryDraft(event, deal.id, addresses)
  }
  if (isNew) return dealDraft(deal, addresses)
  const { forms: _forms, ...document } = dealDocument(deal, addresses)
  return document
}
