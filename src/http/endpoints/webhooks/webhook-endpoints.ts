import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { hostOf, RefusedTarget, resolveTarget } from '../../../events/resolve-target.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { PreparedWebhook } from '../../../model/nouns/webhook/operations.ts'
import { writeSecret } from '../../../model/nouns/webhook/signature.ts'
import { type StoredWebhook, webhookMembers, webhookPatch, webhookState } from '../../../model/nouns/webhook/webhook.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { type Reason, reason } from '../../../values/faults/fault.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Problem, wrongMember } from '../../contract/problems/problem.ts'
import { changedIn, fromFields } from '../../forms/parts/parameters.ts'
import { type Drawn, drawFrom } from '../../request/form-seed.ts'
import { auditedEndpoints } from '../audited/audited-endpoints.ts'
import { deliveryEndpoints } from './delivery-endpoints.ts'
import { testEndpoint } from './test-endpoint.ts'
import { withChosenTypes } from './type-boxes.ts'

/** Webhooks, their deliveries, and the changes of both. */
export const webhookEndpoints = (schema: Schema): readonly Endpoint[] => [
  ...auditedEndpoints(resourceNamed(schema, 'webhook'), {
    list: { screen: 'webhooks' },
    shown: { screen: 'webhook' },
    state: webhookState,
    writes: {
      create: {
        fields: (fields, call) => fromFields(withChosenTypes(fields), webhookMembers(call.schema)),
        prepare: ({ params }, call) => prepareWebhook(params as NewWebhook, call),
        refused: { screen: 'webhook form' },
      },
      change: {
        refuses: ['webhook-not-found', 'stale-revision', 'revision-required', 'invalid-body', 'webhook-ended'],
        fields: (fields, call) =>
          changedIn(withChosenTypes(fields), call.emptied, webhookPatch(call.schema), call.reader),
        refused: { screen: 'webhook form' },
        async prepare({ params }, call) {
          const { url } = params as Partial<NewWebhook>
          return (url === undefined ? undefined : await privateTarget(url, call)) ?? { prepared: null }
        },
      },
      rotate: { prepare: async () => ({ prepared: writeSecret(randomBytes(32)) }) },
    },
  }),
  testEndpoint,
  ...deliveryEndpoints(schema),
]

type NewWebhook = Pick<StoredWebhook, 'url' | 'types'>

async function prepareWebhook({ url, types }: NewWebhook, call: Call) {
  const refused = await privateTarget(url, call)
  if (refused !== undefined) return refused
  const drawn = drawFrom(call.fields?.get('_seed'), [url, ...(types ?? [])], Date.now())
  const prepared: PreparedWebhook = {
    drawn: idAndSecret(drawn),
    another: idAndSecret(drawFrom(undefined, [], Date.now())),
  }
  return { prepared }
}

async function privateTarget(url: string, { service }: Call): Promise<{ readonly problem: Problem } | undefined> {
  const fault = service.settings.webhookAllowPrivate ? undefined : await targetFault(url)
  return fault && { problem: wrongMember('/url', fault) }
}

const idAndSecret = ({ id, bytes }: Drawn) => ({
  id: id('id of a webhook'),
  secret: writeSecret(bytes('secret of a webhook')),
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
