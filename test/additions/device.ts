import type { AuditNote } from '../../src/model/declaration/audit-note.ts'
import {
  assigned,
  createMembers,
  given,
  patchMembers,
  secret,
  type ThingOf,
} from '../../src/model/declaration/field.ts'
import { defineAudited } from '../../src/model/declaration/operation.ts'
import { defineResource } from '../../src/model/declaration/resource.ts'
import { actorName } from '../../src/model/nouns/user/user.ts'
import { nullable } from '../../src/values/kinds/kind.ts'
import { ordinal } from '../../src/values/kinds/number.ts'
import { nameText, text } from '../../src/values/kinds/text.ts'
import { instant } from '../../src/values/kinds/time.ts'
import { uuid } from '../../src/values/kinds/uuid.ts'

// A resource that the audit tells of, whole: people pair their devices by a code, and nobody else sees them.

const device = defineResource({
  feed: 'audit',
  name: 'device',
  plural: 'devices',
  path: '/devices',
  key: 'id',
  fields: {
    id: assigned(uuid),
    owner: assigned(nullable(actorName)),
    label: given(nameText({ min: 1, max: 80 })),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
    code: secret(text({ min: 1, max: 100 })),
  },
  roles: { reads: 'reader', writes: 'reader' },
  privacy: { owner: 'owner' },
  once: { code: { type: 'string', maxLength: 100, description: 'Shown once, when it is drawn.' } },
  title: ({ label }) => ({ text: 'Device {label}', with: { label } }),
})

const about = ({ owner, label }: ThingOf<typeof device.fields>): AuditNote => ({ user: owner, detail: label })

const create = defineAudited({
  on: device,
  name: 'create',
  title: 'Pair a device',
  to: 'nothing',
  params: () => createMembers(device.fields),
  body: { name: 'NewDevice', examples: [{ label: 'Phone' }] },
  draws: 'code',
  apply: (_blank, fields) => fields,
  audit: { 'device-paired': { title: 'Device paired', of: about } },
})

const change = defineAudited({
  on: device,
  name: 'change',
  title: 'Rename a device',
  noun: 'edits',
  params: () => patchMembers(device.fields),
  body: { name: 'DevicePatch', examples: [{ label: 'Old phone' }] },
  apply: (_device, fields) => fields,
})

const renew = defineAudited({
  on: device,
  name: 'renew',
  title: 'Draw another code',
  noun: 'renewals',
  params: () => ({}),
  draws: 'code',
  apply: () => ({}),
  audit: { 'device-renewed': { title: 'Code of a device drawn', of: about } },
})

const remove = defineAudited({
  on: device,
  name: 'remove',
  title: 'Forget a device',
  noun: 'removals',
  removes: true,
  params: () => ({}),
  apply: () => ({}),
  audit: { 'device-forgotten': { title: 'Device forgotten', of: about } },
})

export const devices = { resource: device, operations: [create, change, renew, remove] }
