import type { Call } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { importable } from '../../../imports/rows/importable.ts'
import type { Resource } from '../../../model/schema.ts'
import type { StoredImport } from '../../../store/port/import-store.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { mayDo } from '../../../values/role.ts'

/** Milliseconds that an upload is kept after somebody was last at it. */
const KEPT = 86_400_000

export const keptUntil = (): string => new Date(Date.now() + KEPT).toISOString()

/** An upload belongs to who sent it; to everybody where the service is open. */
export const ownerOf = ({ actor }: Pick<Call, 'actor'>): string => actor ?? ''

/** What the caller may import. */
export const mayImport = (call: Pick<Call, 'role' | 'schema'>): readonly Resource[] =>
  importable(call.schema).filter(({ roles }) => mayDo(call, roles.writes))

type FoundImport = { readonly upload: StoredImport; readonly resource: Resource } | { readonly problem: Problem }

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
