import type { Description, Given } from '../openapi/description.ts'

const group = 'Webhooks'
const validators = ['ETag', 'Last-Modified'] as const
const seeOther: Given = { status: 303, headers: ['Location'], when: 'Done from a page: the address to see next.' }
const tried: readonly Given[] = [
  { status: 200, shows: { one: 'webhooks' }, headers: ['Dry-Run'], when: 'A dry run: the webhook.' },
  { status: 204, headers: ['Preference-Applied', 'Dry-Run'], when: 'A dry run. Only the headers, as `Prefer` asks.' },
]

/** What documents say of webhooks and their deliveries. */
export const webhookDescriptions = {
  subscribes: {
    group,
    takes: 'webhook',
    gives: [
      {
        status: 200,
        shows: 'webhook-draft',
        headers: ['Dry-Run'],
        when: 'A dry run: the webhook that would be made.',
      },
      ...tried.slice(1),
      {
        status: 201,
        shows: { one: 'webhooks' },
        headers: [...validators, 'Location', 'Content-Location'],
        when: 'The webhook, with its secret, which is shown this once.',
      },
    ],
    refuses: ['invalid-body'],
  },
  reads: {
    group,
    gives: [{ status: 200, shows: { one: 'webhooks' }, headers: [...validators, 'Link'], when: 'The webhook.' }],
    refuses: ['webhook-not-found'],
  },
  removes: {
    group,
    gives: [
      { status: 204, headers: ['Preference-Applied', 'Dry-Run'], when: 'It is removed.' },
      ...tried.slice(0, 1),
      seeOther,
    ],
    refuses: ['webhook-not-found', 'stale-revision', 'revision-required', 'invalid-body'],
  },
  rotates: {
    group,
    takes: 'rotation',
    gives: [
      {
        status: 200,
        shows: { one: 'webhooks' },
        headers: [...validators, 'Dry-Run'],
        when: 'The webhook, with its new secret, which is shown this once; without it after a dry run.',
      },
      ...tried.slice(1),
    ],
    refuses: ['invalid-body', 'webhook-not-found', 'stale-revision', 'revision-required'],
  },
  readsDelivery: {
    group,
    gives: [{ status: 200, shows: { one: 'deliveries' }, headers: ['Link'], when: 'The delivery.' }],
    refuses: ['webhook-not-found', 'delivery-not-found'],
  },
  redelivers: {
    group,
    gives: [
      {
        status: 202,
        shows: { one: 'deliveries' },
        headers: ['Content-Location'],
        when: 'It will be delivered once more, at once.',
      },
      { status: 200, shows: { one: 'deliveries' }, headers: ['Dry-Run'], when: 'A dry run: the delivery.' },
      ...tried.slice(1),
      seeOther,
    ],
    refuses: ['webhook-not-found', 'delivery-not-found', 'invalid-body', 'webhook-ended'],
  },
} as const satisfies { readonly [name: string]: Description }
