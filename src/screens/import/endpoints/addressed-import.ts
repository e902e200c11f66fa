import type { Call } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { managerOf } from '../../../http/endpoints/managed-writes.ts'
import { actorOf } from '../../../http/write/intent.ts'
import { importable } from '../../../imports/rows/importable.ts'
import type { Upload, uploadOperations } from '../../../model/imports/upload.ts'
import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { Resource } from '../../../model/schema.ts'
import type { ManagedOutcome } from '../../../store/port/managed.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { mayDo } from '../../../values/role.ts'

/** Milliseconds for which an upload is kept after its last use. */
const KEPT = 86_400_000

export const keptUntil = (): string => new Date(Date.now() + KEPT).toISOString()

/** An upload belongs to its sender; in an open service to everybody. */
export const ownerOf = ({ actor }: Pick<Call, 'actor'>): string => actor ?? ''

/** The resources that the caller may import. */
export const mayImport = (call: Pick<Call, 'role' | 'schema'>): readonly Resource[] =>
  importable(call.schema).filter(({ roles }) => mayDo(call, roles.writes))

/** Asks for an operation on an upload of the caller. */
export const manageUpload = (
  call: Call,
  operation: keyof typeof uploadOperations,
  asked: Partial<Pick<ManagedIntent, 'target' | 'params' | 'prepared'>>,
): Promise<ManagedOutcome> =>
  call.service.store.manage({
    ...{ on: 'upload', operation, target: {}, params: {}, prepared: null, ...asked },
    ...{ guard: { required: false }, dryRun: false, manager: managerOf(call) },
    author: { ...actorOf(call), address: call.peer.address },
  })

type FoundImport = { readonly upload: Upload; readonly resource: Resource } | { readonly problem: Problem }

/** The caller's upload that the address names. */
export async function findImport(call: Call): Promise<FoundImport> {
  const id = call.params.id ?? ''
  const now = new Date().toISOString()
  const upload = isUuid(id) ? await call.service.store.imports.find(id, ownerOf(call), now) : undefined
  const resource = mayImport(call).find(({ plural }) => plural === upload?.resource)
  if (upload !== undefined && resource !== undefined) return { upload, resource }
  return {
    problem: {
      code: 'not-found',
      detail: {
        text: 'You have no import {id}. Uploads are kept for a day.',
        with: { id: JSON.stringify(id) },
      },
    },
  }
}
