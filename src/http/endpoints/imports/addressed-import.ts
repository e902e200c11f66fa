import type { Matching } from '../../../imports/read/matching.ts'
import { importable } from '../../../imports/rows/importable.ts'
import { matchingOf } from '../../../imports/uploads/stored-matching.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { mayEver } from '../../../model/intent/caller.ts'
import type { Upload } from '../../../model/nouns/imports/upload.ts'
import { keptUntil } from '../../../model/nouns/imports/upload.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { Document } from '../../../representations/document.ts'
import type { ImportWork } from '../../../store/port/import-store.ts'
import { ownRoles } from '../../../values/role.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { auditedDocument } from '../../respond/audited-documents.ts'
import { actorOf } from '../../write/intent.ts'
import { findAudited, noAudited } from '../audited/audited-reads.ts'

/** The resources that the caller may import. Rows are matched with all things: who does not see these imports none. */
export const mayImport = (call: Pick<Call, 'role' | 'caller' | 'schema'>): readonly Resource[] =>
  ownRoles(call) === undefined ? importable(call.schema).filter((resource) => mayEver(call, resource)) : []

type FoundImport = { readonly upload: Upload; readonly resource: Resource } | { readonly problem: Problem }

/** The import that the address names, if the caller may see it. */
export async function findImport(call: Call): Promise<FoundImport> {
  const declared = resourceNamed(call.schema, 'import')
  const seen = await findAudited(declared, { id: call.params.id ?? '' }, call.desk)
  const upload = seen === undefined ? undefined : await call.service.store.imports.find(call.params.id ?? '')
  const resource = mayImport(call).find(({ plural }) => plural === upload?.resource)
  return upload === undefined || resource === undefined ? { problem: noAudited(declared, call) } : { upload, resource }
}

/** The import as it is now; another instance may be at it. */
export async function importDocument(id: string, call: Call): Promise<Document | undefined> {
  const declared = resourceNamed(call.schema, 'import')
  const json = await findAudited(declared, { id }, call.desk)
  return json === undefined ? undefined : auditedDocument(declared, JSON.parse(json), call.service.addresses, { json })
}

/** Begins to check or to import; false if another run is active. */
export function startRun(
  upload: Upload,
  work: ImportWork,
  resource: Resource,
  call: Call,
  matching: Matching | undefined = matchingOf(upload),
): Promise<boolean> {
  const { store, state, log, imports } = call.service
  if (matching === undefined) return Promise.resolve(false)
  return imports.start(upload, matching, {
    store,
    resource,
    work,
    ...actorOf(call),
    desk: call.desk,
    isStopping: () => state.stopping,
    endsAt: keptUntil(Date.now()),
    onFault: (err) => log.warn({ err }, 'an import has stopped'),
  })
}
