import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { hostOf, RefusedTarget, resolveTarget } from '../../../events/resolve-target.ts'
import { webhookState } from '../../../model/webhook/change.ts'
import { rotationMembers } from '../../../model/webhook/rotation.ts'
import { writeSecret } from '../../../model/webhook/signature.ts'
import { type StoredWebhook, webhookMembers } from '../../../model/webhook/webhook.ts'
import { collections } from '../../../queries/collections.ts'
import { type Fault, type Reason, reason } from '../../../values/faults/fault.ts'
import { checkGuard } from '../../../values/guard.ts'
import { uuidV7 } from '../../../values/kinds/uuid.ts'
import { lazily } from '../../../values/lazily.ts'
import { readMembers } from '../../../values/members.ts'
import { TYPE_BOX, webhookCreationForm } from '../../../views/webhooks/creation-form.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { invalidBody, refusalProblem } from '../../contract/problems/problem.ts'
import { changed, created, removed, thing, type WriteSuccess, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { drawFrom } from '../../request/form-seed.ts'
import { readWritingWithoutKey, superfluousBody } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { webhookDraft } from '../../respond/drafts.ts'
import { withView } from '../../respond/problems/problem-for-people.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { choosingFields } from '../things/thing-members.ts'
import { admin, findWebhook, writing } from './addressed-webhook.ts'
import { deliveryEndpoints } from './delivery-endpoints.ts'
import { testEndpoint } from './test-endpoint.ts'
import { webhookDocument } from './webhook-documents.ts'

const webhookViews = lazily(() => import('../../../views/webhooks/read.ts'))

const subscribed = withSecret(created('webhooks'))
const removal = removed('webhooks')
const rotated = withSecret(changed('webhooks'))

const group = 'Webhooks'
const refusesChanges = ['webhook-not-found', 'stale-revision', 'revision-required', 'invalid-body'] as const
const removes = { group, answers: [removal], refuses: refusesChanges } as const

/** Webhooks, their deliveries, and the changes of both. */
export const webhookEndpoints: readonly Endpoint[] = [
  collectionEndpoint({
    collection: collections.webhooks,
    path: '/webhooks',
    summary: 'Webhooks',
    role: 'admin',
    itemAddress: ({ id }, { service }) => (typeof id === 'string' ? service.addresses.webhook(id) : undefined),
    forms: (call) => [webhookCreationForm(call)],
    page: async (list, call) => (await webhookViews()).showWebhooks(list, call),
  }),
  {
    ...writing,
    path: '/webhooks',
    summary: 'Subscribe to events',
    describes: { group, takes: 'WebhookBody', answers: [subscribed], refuses: ['invalid-body'] },
    handle: subscribe,
  },
  choosingFields(collections.webhooks, {
    ...admin,
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'A webhook',
    describes: { group, answers: [thing('webhooks')], refuses: ['webhook-not-found'] },
    handle: read,
  }),
  {
    ...admin,
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Remove a webhook',
    parameters: ['dry-run'],
    describes: removes,
    handle: remove,
  },
  {
    ...writing,
    path: '/webhooks/:id/removals',
    summary: 'Remove a webhook, from a page',
    describes: removes,
    handle: remove,
  },
  {
    ...writing,
    path: '/webhooks/:id/rotations',
    summary: 'Give a webhook a new secret',
    describes: { group, takes: 'Rotation', answers: [rotated], refuses: refusesChanges },
    handle: rotate,
  },
  testEndpoint,
  ...deliveryEndpoints,
]

async function read(call: Call): Promise<Answer> {
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const { withWebhookPage } = await webhookViews()
  const document = await withWebhookPage(webhookDocument(webhook, call.service.addresses), call)
  return { status: 200, document, validators: webhookState(webhook) }
}

async function subscribe(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const { store, settings } = call.service
  const fields = call.fields && withChosenTypes(call.fields)
  const raw = fields === undefined ? (call.body ?? {}) : fromFields(fields, webhookMembers)
  const given = readMembers(webhookMembers, raw)
  if ('faults' in given) {
    return refusedForm(given.faults, { ...call, fields })
  }
  const { url } = given.values
  const fault = settings.webhookAllowPrivate ? undefined : await targetFault(url)
  if (fault !== undefined) {
    return refusedForm([{ ...fault, at: { pointer: '/url' } }], { ...call, fields })
  }
  const webhook = newWebhook(given.values, call.fields?.get('_seed'))
  if (asked.dryRun || (await store.webhooks.add(webhook)))
    return answerWithSecret(subscribed, webhook, asked.dryRun, call)
  // The form was sent before, as by a double click: it shows what it made, unless that has another secret since.
  const known = await store.webhooks.find(webhook.id)
  if (known?.secret === webhook.secret) return answerWithSecret(subscribed, known, false, call)
  const another = newWebhook(given.values)
  await store.webhooks.add(another)
  return answerWithSecret(subscribed, another, false, call)
}

function newWebhook({ url, types }: Pick<StoredWebhook, 'url' | 'types'>, seed?: string): StoredWebhook {
  const drawn = drawFrom(seed, [url, ...(types ?? [])], Date.now())
  const now = new Date().toISOString()
  return {
    id: uuidV7(drawn.now, drawn.bytes('id of a webhook')),
    url,
    types,
    status: 'active',
    endedAt: null,
    endedBecause: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    secret: writeSecret(drawn.bytes('secret of a webhook')),
    previousSecret: null,
  }
}

/** Shows the secret, on pages too: it cannot be read again. */
async function answerWithSecret(
  success: WriteSuccess,
  webhook: StoredWebhook,
  dryRun: boolean,
  call: Call,
): Promise<Answer> {
  const { addresses } = call.service
  const isNew = success === subscribed
  const foreseen = () => (isNew ? webhookDraft(webhook, addresses) : webhookDocument(webhook, addresses))
  if (dryRun) return answerWrite(success, { dryRun, foreseen }, call)
  const { withWebhookPage } = await webhookViews()
  const document = await withWebhookPage(webhookDocument(webhook, addresses, webhook.secret), call)
  const address = addresses.webhook(webhook.id)
  const validators = webhookState(webhook)
  return answerWrite(success, { dryRun, document: () => document, address, validators }, call)
}

const refusedForm = async (faults: readonly Fault[], call: Call): Promise<Answer> => ({
  problem: await withView(invalidBody(faults), async (refusal) =>
    (await webhookViews()).showRefusedWebhook(refusal, call),
  ),
})

/** A page has a box for each type, named `types.deal.held`. */
function withChosenTypes(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isBox = (name: string): boolean => name.startsWith(TYPE_BOX)
  const chosen = [...fields.keys()].filter(isBox).map((name) => name.slice(TYPE_BOX.length))
  if (chosen.length === 0) return fields
  return new Map([...[...fields].filter(([name]) => !isBox(name)), ['types', chosen.join(', ')]])
}

const newSecret = (): string => writeSecret(randomBytes(32))

const LONGEST_LOOKUP = 2000

/** A name that cannot be resolved now is accepted: its address is checked again with each connection. */
async function targetFault(url: string): Promise<Reason | undefined> {
  const resolving = resolveTarget(hostOf(url)).then(
    () => undefined,
    (cause: unknown) => (cause instanceof RefusedTarget ? reason('malformed', { wants: 'public-address' }) : undefined),
  )
  return Promise.race([resolving, wait(LONGEST_LOOKUP, undefined, { ref: false })])
}

async function remove(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const { store, addresses } = call.service
  const { guard } = asked
  const superfluous = superfluousBody(call)
  const dryRun = asked.dryRun || superfluous !== undefined
  const outcome = await store.webhooks.change({ kind: 'remove', id: call.params.id ?? '', guard, dryRun })
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome.refusal) }
  if (superfluous !== undefined) return superfluous
  const foreseen = () => webhookDocument(outcome.webhook, addresses)
  return answerWrite(removal, { dryRun, foreseen, next: addresses.webhooks }, call)
}

async function rotate(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const failed = checkGuard(asked.guard, webhookState(found.webhook))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const given = readMembers(
    rotationMembers,
    call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, rotationMembers),
  )
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const { store } = call.service
  const { guard, dryRun } = asked
  const outcome = await store.webhooks.change({
    kind: 'rotate',
    id: call.params.id ?? '',
    guard,
    dryRun,
    secret: newSecret(),
    previousUntil: new Date(Date.now() + given.values.overlap * 1000).toISOString(),
  })
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome.refusal) }
  return answerWithSecret(rotated, outcome.webhook, dryRun, call)
}
