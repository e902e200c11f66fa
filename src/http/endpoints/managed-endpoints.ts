import { randomFillSync } from 'node:crypto'
import { newSecret } from '../../access/secrets.ts'
import type { DeclaredManagedOperation, PreparedThing } from '../../model/managed/managed-operation.ts'
import type { ManagedOperation, ManagedResource, Schema } from '../../model/schema.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { label } from '../../representations/html/label.ts'
import { uuidV7 } from '../../values/kinds/uuid.ts'
import type { Members } from '../../values/members.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call, Endpoint } from '../contract/endpoint.ts'
import { changed, created, removed, thing, type WriteSuccess, withSecret } from '../contract/success.ts'
import { managedAddress, managedDocument, managedDraft, managedState } from '../respond/managed-documents.ts'
import { findManaged, managedList, noManaged } from './managed-reads.ts'
import { managedWrite } from './managed-writes.ts'
import { choosingFields } from './things/thing-members.ts'

/** Resources whose endpoints do more than their declaration says: people sign in with them, or they call others. */
const withOwnEndpoints: ReadonlySet<string> = new Set(['user', 'session', 'key', 'webhook', 'delivery', 'record'])

/** The endpoints of managed resources that need only their declaration. */
export const managedEndpoints = ({ managed }: Schema): readonly Endpoint[] =>
  managed.filter(({ name, forPeople }) => !(forPeople || withOwnEndpoints.has(name))).flatMap(endpointsOf)

function endpointsOf(resource: ManagedResource): readonly Endpoint[] {
  const { name, plural, path, key, schema, roles, operations } = resource
  return [
    managedList(resource),
    choosingFields(collectionNamed(schema, plural), {
      method: 'GET',
      path: `${path}/:${key}`,
      role: roles.reads,
      offers: 'resource',
      summary: `A ${name}`,
      describes: { group: label(plural), answers: [thing(plural, name)], refuses: [`${name}-not-found`] },
      handle: (call) => read(resource, call),
    }),
    ...operations.flatMap((operation) => write(resource, operation)),
  ]
}

async function read(resource: ManagedResource, call: Call): Promise<Answer> {
  const { params, desk, service } = call
  const json = await findManaged(resource, params, desk)
  if (json === undefined) return { problem: noManaged(resource, call) }
  const shown = JSON.parse(json) as object
  const document = managedDocument(resource, shown, service.addresses, { json })
  return { status: 200, document, ...managedState(shown) }
}

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

/** A creation is sent to the list, a change and a removal to the thing, anything else to its noun. */
function addressesOf(kind: ManagedChange, { path, key }: ManagedResource, noun: string) {
  const self = `${path}/:${key}` as `/${string}`
  const forms = { noun: `${self}/${noun}` } as const
  if (kind === 'creation') return { at: `POST ${path as `/${string}`}` } as const
  if (kind === 'change') return { at: `PATCH ${self}`, ...forms } as const
  return kind === 'removal' ? ({ at: `DELETE ${self}`, ...forms } as const) : ({ at: `POST ${self}/${noun}` } as const)
}

function write(resource: ManagedResource, operation: ManagedOperation): readonly Endpoint[] {
  const { name, plural, path, roles } = resource
  const { draws, noun = operation.name } = operation
  const kind = kindOf(operation)
  const success = successes[kind](plural, name)
  return managedWrite({
    // A declaration is typed by its own fields; these may be any.
    operation: operation as unknown as DeclaredManagedOperation<object, Members, PreparedThing, object>,
    ...addressesOf(kind, resource, noun),
    role: roles.writes,
    group: label(plural),
    success: draws === undefined ? success : withSecret(success),
    refuses: ['invalid-body', ...(kind === 'creation' ? [] : ([`${name}-not-found`, 'stale-revision'] as const))],
    target: ({ params }) => params,
    prepare: async () => {
      const secret = draws === undefined ? undefined : newSecret()
      return { prepared: { id: uuidV7(Date.now(), randomFillSync(new Uint8Array(10))), secret }, secret }
    },
    show({ thing: kept, dryRun, secret }, { service: { addresses } }) {
      if (dryRun && kind === 'creation') return { foreseen: () => managedDraft(resource, kept, addresses) }
      const once = draws === undefined || dryRun ? {} : { [draws]: secret }
      const document = () => managedDocument(resource, kept, addresses, { once })
      if (kind === 'removal') return { foreseen: document, next: addresses.base + path }
      const address = managedAddress(resource, kept, addresses)
      return { document, address, next: address, ...managedState(kept) }
    },
  })
}
