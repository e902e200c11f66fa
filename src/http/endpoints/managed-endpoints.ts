import { newSecret } from '../../access/secrets.ts'
import type { PreparedThing } from '../../model/managed/managed-operation.ts'
import { valueIn } from '../../model/operation.ts'
import type { ManagedOperation, ManagedResource, Schema } from '../../model/schema.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { label } from '../../representations/html/label.ts'
import { orderedIds } from '../../store/port/ordered-ids.ts'
import type { Members } from '../../values/members.ts'
import type { Answer, Headers, Validators } from '../contract/answer.ts'
import type { Call, Endpoint } from '../contract/endpoint.ts'
import type { HeaderName } from '../contract/headers.ts'
import type { Shown } from '../contract/shown.ts'
import { changed, created, removed, type Success, thing, type WriteSuccess, withSecret } from '../contract/success.ts'
import { managedAddress, managedDocument, managedDraft, managedState } from '../respond/managed-documents.ts'
import type { CollectionAddress } from './collections/collection-address.ts'
import { findManaged, managedList, noManaged } from './managed-reads.ts'
import { type ManagedWrite, managedWrite } from './managed-writes.ts'
import { choosingFields } from './things/thing-members.ts'

/** The parts of a resource's endpoints beyond its declaration. */
interface OwnParts {
  readonly list?: Partial<CollectionAddress>
  /** Sentences about reading one thing. */
  readonly about?: string
  /** The screen of one thing. */
  readonly shown?: Shown
  readonly state?: (thing: never) => Validators
  /** The further headers of one thing, and their names. */
  readonly headers?: { readonly names: readonly HeaderName[]; of(thing: object, call: Call): Headers }
  /** By the name of the operation. */
  readonly writes?: { readonly [operation: string]: Partial<AnyWrite> }
}

/** A declaration is typed by its own fields; these may be any. */
type AnyWrite = ManagedWrite<object, Members, unknown, object>

/** Resources that are listed elsewhere, with parts of their own. */
const withOwnParts: ReadonlySet<string> = new Set(['user', 'session', 'key', 'webhook', 'delivery', 'import', 'record'])

/** The endpoints of managed resources that need only their declaration. */
export const declaredEndpoints = ({ managed }: Schema): readonly Endpoint[] =>
  managed
    .filter(({ name, forPeople }) => !(forPeople || withOwnParts.has(name)))
    .flatMap((resource) => managedEndpoints(resource))

/** The list of a managed resource, its things, and an address for each operation. */
export function managedEndpoints(resource: ManagedResource, parts: OwnParts = {}): readonly Endpoint[] {
  const { name, plural, path, key, schema, roles, operations } = resource
  return [
    managedList(resource, parts.list),
    choosingFields(collectionNamed(schema, plural), {
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
    ...operations.flatMap((operation) => write(resource, operation, parts)),
  ]
}

const withHeaders = (success: Success, { headers }: OwnParts): Success => ({
  ...success,
  headers: [...success.headers, ...(headers?.names ?? [])],
})

async function read(resource: ManagedResource, { shown, state, headers }: OwnParts, call: Call): Promise<Answer> {
  const { params, desk, service } = call
  const json = await findManaged(resource, params, desk)
  if (json === undefined) return { problem: noManaged(resource, call) }
  const found = JSON.parse(json) as object
  const document = managedDocument(resource, found, service.addresses, { json })
  return {
    status: 200,
    document,
    shown,
    ...(headers && { headers: headers.of(found, call) }),
    ...stateOf(found, state),
  }
}

const stateOf = (found: object, state: OwnParts['state']): { readonly validators?: Validators } =>
  state === undefined ? managedState(found) : { validators: state(found as never) }

type ManagedChange = 'creation' | 'change' | 'removal' | 'other'

const kindOf = ({ to, removes, name }: ManagedOperation): ManagedChange => {
  if (to === 'nothing') return 'creation'
  return removes ? 'removal' : name === 'change' ? 'change' : 'other'
}

const successes: Readonly<Record<ManagedChange, (plural: string, name: string) => WriteSuccess>> = {
  creation: created,
  change: changed,
  removal: removed,
  other: changed,
}

const newId = orderedIds()

/** A creation is sent to the list, a change and a removal to the thing, anything else to its noun. */
function addressesOf(kind: ManagedChange, { path, key }: ManagedResource, noun: string) {
  const self = `${path}/:${key}` as `/${string}`
  const forms = { noun: `${self}/${noun}` } as const
  if (kind === 'creation') return { at: `POST ${path as `/${string}`}` } as const
  if (kind === 'change') return { at: `PATCH ${self}`, ...forms } as const
  return kind === 'removal' ? ({ at: `DELETE ${self}`, ...forms } as const) : ({ at: `POST ${self}/${noun}` } as const)
}

function write(resource: ManagedResource, operation: ManagedOperation, parts: OwnParts): readonly Endpoint[] {
  const { name, plural, path, roles } = resource
  const { draws, noun = operation.name, demandsState } = operation
  const kind = kindOf(operation)
  const success = successes[kind](plural, name)
  const stale = [
    `${name}-not-found`,
    'stale-revision',
    ...(demandsState ? (['revision-required'] as const) : []),
  ] as const
  return managedWrite({
    operation: operation as unknown as AnyWrite['operation'],
    ...addressesOf(kind, resource, noun),
    role: roles.writes,
    group: label(plural),
    success: draws === undefined ? success : withSecret(success),
    refuses: [...(kind === 'creation' ? [] : stale), 'invalid-body'],
    target: ({ params }) => params,
    prepare: async () => {
      const secret = draws === undefined ? undefined : newSecret()
      const prepared: PreparedThing = { id: newId(), secret }
      return { prepared, secret }
    },
    show({ thing: kept, dryRun }, { service: { addresses } }) {
      if (dryRun && kind === 'creation') return { foreseen: () => managedDraft(resource, kept, addresses) }
      const once = draws === undefined || dryRun ? {} : { [draws]: valueIn(kept, draws) }
      const document = () => managedDocument(resource, kept, addresses, { once })
      if (kind === 'removal') return { foreseen: document, next: addresses.base + path }
      const address = managedAddress(resource, kept, addresses)
      return { document, shown: parts.shown, address, next: address, ...stateOf(kept, parts.state) }
    },
    ...parts.writes?.[operation.name],
  })
}
