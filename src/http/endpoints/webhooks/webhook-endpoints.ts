import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { hostOf, RefusedTarget, resolveTarget } from '../../../events/resolve-target.ts'
import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { Schema } from '../../../model/schema.ts'
import { webhookOperations, webhookState } from '../../../model/webhook/operations.ts'
import { writeSecret } from '../../../model/webhook/signature.ts'
import { type StoredWebhook, webhookMembers } from '../../../model/webhook/webhook.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { type Reason, reason } from '../../../values/faults/fault.ts'
import { uuidV7 } from '../../../values/kinds/uuid.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { wrongMember } from '../../contract/problems/problem.ts'
import { changed, created, removed, thing, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { type Drawn, drawFrom } from '../../request/form-seed.ts'
import { managedDraft } from '../../respond/managed-documents.ts'
import { managedList } from '../managed-reads.ts'
import { managedWrite } from '../managed-writes.ts'
import { choosingFields } from '../things/thing-members.ts'
import { admin, admins, findWebhook } from './addressed-webhook.ts'
import { deliveryEndpoints } from './delivery-endpoints.ts'
import { testEndpoint } from './test-endpoint.ts'
import { withChosenTypes } from './type-boxes.ts'
import { webhookDocument } from './webhook-documents.ts'

const { create, remove, rotate } = webhookOperations
const refusesChanges = ['webhook-not-found', 'stale-revision', 'revision-required', 'invalid-body'] as const

/** Webhooks, their deliveries, and the changes of both. */
export const webhookEndpoints = (schema: Schema): readonly Endpoint[] => [
  managedList(managedNamed(schema, 'webhook'), {
    screen: 'webhooks',
  }),
  ...managedWrite({
    ...admins,
    operation: create,
    at: 'POST /webhooks',
    success: withSecret(created('webhooks', 'webhook')),
    refuses: ['invalid-body'],
    fields: (fields, call) => fromFields(withChosenTypes(fields), webhookMembers(call.schema)),
    prepare: async ({ values }, call) => {
      const fault = call.service.settings.webhookAllowPrivate ? undefined : await targetFault(values.url)
      if (fault !== undefined) return { problem: wrongMember('/url', fault) }
      const { url, types } = values
      const drawn = drawFrom(call.fields?.get('_seed'), [url, ...(types ?? [])], Date.now())
      return { prepared: { drawn: idAndSecret(drawn), another: idAndSecret(drawFrom(undefined, [], Date.now())) } }
    },
    show: ({ thing: webhook, dryRun }, call) =>
      dryRun
        ? { foreseen: () => managedDraft(managedNamed(call.schema, 'webhook'), webhook, call.service.addresses) }
        : withSecretShown(webhook, call),
    refused: { screen: 'webhook form' },
  }),
  choosingFields(collectionsOf(schema).webhooks, {
    ...admin,
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'A webhook',
    describes: { group: 'Webhooks', answers: [thing('webhooks', 'webhook')], refuses: ['webhook-not-found'] },
    handle: read,
  }),
  ...managedWrite({
    ...admins,
    operation: remove,
    at: 'DELETE /webhooks/:id',
    noun: '/webhooks/:id/removals',
    success: removed('webhooks', 'webhook'),
    refuses: refusesChanges,
    show: ({ thing: webhook }, call) => ({
      foreseen: () => webhookDocument(webhook, call),
      next: call.service.addresses.webhooks,
    }),
  }),
  ...managedWrite({
    ...admins,
    operation: rotate,
    at: 'POST /webhooks/:id/rotations',
    success: withSecret(changed('webhooks', 'webhook')),
    refuses: refusesChanges,
    prepare: async () => ({ prepared: writeSecret(randomBytes(32)) }),
    show: ({ thing: webhook, dryRun }, call) =>
      dryRun ? { foreseen: () => webhookDocument(webhook, call) } : withSecretShown(webhook, call),
  }),
  testEndpoint,
  ...deliveryEndpoints(schema),
]

async function read(call: Call): Promise<Answer> {
  const found = await findWebhook(call)
  if ('problem' in found) return found
  const { webhook } = found
  const document = webhookDocument(webhook, call)
  return { status: 200, document, shown: { screen: 'webhook' }, validators: webhookState(webhook) }
}

const idAndSecret = ({ now, bytes }: Drawn) => ({
  id: uuidV7(now, bytes('id of a webhook')),
  secret: writeSecret(bytes('secret of a webhook')),
})

/** Shows the secret, on pages too: it cannot be read again. */
const withSecretShown = (webhook: StoredWebhook, call: Call) => ({
  document: () => webhookDocument(webhook, call, webhook.secret),
  shown: { screen: 'webhook' } as const,
  address: call.service.addresses.webhook(webhook.id),
  validators: webhookState(webhook),
})

const LONGEST_LOOKUP = 2000

/** A name that cannot be resolved now is accepted: its address is checked again with each connection. */
async function targetFault(url: string): Promise<Reason | undefined> {
  const resolving = resolveTarget(hostOf(url)).then(
    () => undefined,
    (cause: unknown) => (cause instanceof RefusedTarget ? reason('malformed', { wants: 'public-address' }) : undefined),
  )
  return Promise.race([resolving, wait(LONGEST_LOOKUP, undefined, { ref: false })])
}
