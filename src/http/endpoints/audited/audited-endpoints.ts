import { newSecret } from '../../../access/secrets.ts'
import { valueIn } from '../../../model/declaration/operation.ts'
import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { label } from '../../../representations/html/label.ts'
import type { Answer, Headers, Validators } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import type { HeaderName } from '../../contract/headers.ts'
import type { Shown } from '../../contract/shown.ts'
import {
  changed,
  created,
  removed,
  type Success,
  thing,
  type WriteSuccess,
  withSecret,
} from '../../contract/success.ts'
import { changedIn } from '../../forms/parts/parameters.ts'
import { auditedAddress, auditedDocument, auditedDraft, auditedState } from '../../respond/audited-documents.ts'
import type { CollectionAddress } from '../collections/collection-address.ts'
import { choosingFields } from '../things/thing-members.ts'
import { auditedList, findAudited, noAudited } from './audited-reads.ts'
import { type AuditedWrite, auditedWrite } from './audited-writes.ts'

/** The parts of a resource's endpoints beyond its declaration. */
interface OwnParts {
  readonly list?: Partial<CollectionAddress>
  /** Sentences about reading one thing. */
  readonly about?: string
  /** The document of one thing as the caller may read it. */
  readonly present?: (json: string, call: Call) => string
  /** The screen of one thing. */
  readonly shown?: Shown
  readonly state?: (thing: never) => Validators
  /** The further headers of one thing, and their names. */
  readonly headers?: { readonly names: readonly HeaderName[]; of(thing: object, call: Call): Headers }
  /** By the name of the operation. */
  readonly writes?: { readonly [operation: string]: Partial<AuditedWrite> }
  /** Operations with endpoints of their own. */
  readonly without?: readonly string[]
}

/** Resources whose endpoints are listed elsewhere, with parts of their own. */
const withOwnParts: ReadonlySet<string> = new Set([
  'user',
  'session',
  'key',
  'webhook',
  'delivery',
  'import',
  'record',
  'role',
])

/** The endpoints of resources that need only their declaration. */
export const declaredEndpoints = ({ audited }: Schema): readonly Endpoint[] =>
  audited.filter(({ name }) => !withOwnParts.has(name)).flatMap((resource) => auditedEndpoints(resource))

/** The list of a resource, its things, and an address for each operation. */
export function auditedEndpoints(resource: Resource, parts: OwnParts = {}): readonly Endpoint[] {
  const { name, plural, path, key, roles, operations } = resource
  return [
    auditedList(resource, { screen: 'audited', of: resource, ...parts.list }),
    choosingFields(collectionOf(resource), {
      method: 'GET',
      path: `${path}/:${key}`,
      role: roles.reads,
      offers: 'resource',
      summary: `${/^[aeio]/.test(name) ? 'An' : 'A'} ${name}`,
      describes: {
        group: label(plural),
        ...(parts.about !== undefined && { about: parts.about }),
        answers: [withHeaders(thing(plural, name), parts)],
        refuses: [`${name}-not-found`],
      },
      handle: (call) => read(resource, parts, call),
    }),
    ...operations.flatMap((operation) => (parts.without?.includes(operation.name) ? [] : written(operation, parts))),
  ]
}

const withHeaders = (success: Success, { headers }: OwnParts): Success => ({
  ...success,
  headers: [...success.headers, ...(headers?.names ?? [])],
})

async function read(
  resource: Resource,
  { shown, state, headers, present = asItIs }: OwnParts,
  call: Call,
): Promise<Answer> {
  const { params, desk, service } = call
  const stored = await findAudited(resource, params, desk)
  if (stored === undefined) return { problem: noAudited(resource, call) }
  const json = present(stored, call)
  const found = JSON.parse(json) as object
  const document = auditedDocument(resource, found, service.addresses, { json })
  return {
    status: 200,
    document,
    shown: shown ?? { screen: 'audited', resource },
    ...(headers && { headers: headers.of(found, call) }),
    ...stateOf(found, state),
  }
}

const asItIs = (json: string): string => json

const stateOf = (found: object, state: OwnParts['state']): { readonly validators?: Validators } =>
  state === undefined ? auditedState(found) : { validators: state(found as never) }

type Change = 'creation' | 'change' | 'removal' | 'other'

const changeIn = ({ to, removes, name }: Operation): Change => {
  if (to === 'nothing') return 'creation'
  return removes ? 'removal' : name === 'change' ? 'change' : 'other'
}

const successes: Readonly<Record<Change, (plural: string, name: string) => WriteSuccess>> = {
  creation: created,
  change: changed,
  removal: removed,
  other: changed,
}

/** A creation is sent to the list, a change and a removal to the thing, anything else to its noun. */
function addressesOf(change: Change, { on: { path, key }, name, words }: Operation) {
  const self = `${path}/:${key}` as `/${string}`
  const noun = `${self}/${words.noun || name}` as const
  if (change === 'creation') return { at: `POST ${path as `/${string}`}` } as const
  if (change === 'change') return { at: `PATCH ${self}`, noun } as const
  return change === 'removal' ? ({ at: `DELETE ${self}`, noun } as const) : ({ at: `POST ${noun}` } as const)
}

function written(operation: Operation, parts: OwnParts): readonly Endpoint[] {
  const { on, draws, demandsState } = operation
  const { name, plural, path, key } = on
  const change = changeIn(operation)
  const success = successes[change](plural, name)
  const stale = [
    `${name}-not-found`,
    'stale-revision',
    ...(demandsState ? (['revision-required'] as const) : []),
  ] as const
  return auditedWrite({
    operation,
    ...addressesOf(change, operation),
    group: label(plural),
    isForPages: on.shapes !== undefined,
    success: draws === undefined ? success : withSecret(success),
    refuses: [...(change === 'creation' ? [] : stale), 'invalid-body'],
    addressed: ({ params }) => (change === 'creation' ? {} : { target: params[key] }),
    ...(change === 'change' && {
      fields: (fields, call) => changedIn(fields, call.emptied, operation.params, call.reader),
    }),
    ...(parts.shown === undefined && { refused: { screen: 'audited form', operation } as const }),
    prepare: async () => ({ prepared: draws === undefined ? null : newSecret() }),
    show({ thing: stored, dryRun }, { service: { addresses } }) {
      if (dryRun && change === 'creation') return { foreseen: () => auditedDraft(on, stored, addresses) }
      const once = draws === undefined || dryRun ? {} : { [draws]: valueIn(stored, draws) }
      const document = () => auditedDocument(on, stored, addresses, { once })
      if (change === 'removal') return { foreseen: document, next: addresses.base + path }
      const address = auditedAddress(on, stored, addresses)
      const shown = parts.shown ?? ({ screen: 'audited', resource: on } as const)
      return { document, shown, address, next: address, ...stateOf(stored, parts.state) }
    },
    ...parts.writes?.[operation.name],
  })
}
