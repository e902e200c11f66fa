import { createHash } from 'node:crypto'
import type { FileColumn } from '../../../imports/cells/reading.ts'
import { matchingOf } from '../../../imports/uploads/stored-matching.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Upload } from '../../../model/nouns/imports/upload.ts'
import { mergedAnswers, type ValueAnswers } from '../../../model/nouns/imports/value-answers.ts'
import { fileBounds } from '../../../values/bounds.ts'
import type { Call } from '../../contract/endpoint.ts'

/** Answers without an owner are everybody's. */
const EVERYBODY = ''

/** The kept answers for everybody and of the owner about values of a file with these headings, in any order. */
export async function keptAnswers(
  columns: readonly FileColumn[],
  resource: Resource,
  owner: string | null,
  { service }: Pick<Call, 'service'>,
): Promise<ValueAnswers> {
  const kept = await service.store.imports.answers(owner ?? EVERYBODY, resource.name, keyOf(columns))
  return mergedAnswers(...kept.map((text) => JSON.parse(text) as ValueAnswers))
}

/** Keeps the answers about an upload for the next file with these headings. */
export async function keepAnswers(upload: Upload, resource: Resource, call: Pick<Call, 'service'>): Promise<void> {
  const { values = {}, columns = [], keep } = matchingOf(upload) ?? {}
  if (Object.keys(values).length === 0) return
  const owner = keep === 'all' ? null : upload.owner
  const merged = JSON.stringify(mergedAnswers(await keptAnswers(columns, resource, owner, call), values))
  // Answers about many files may become too many: then only the latest are kept.
  const kept = merged.length > fileBounds.answers ? JSON.stringify(values) : merged
  await call.service.store.imports.keepAnswers(owner ?? EVERYBODY, resource.name, keyOf(columns), kept)
}

/** The same for the same headings in another order. */
const keyOf = (columns: readonly FileColumn[]): string =>
  createHash('sha256')
    .update(JSON.stringify(columns.map(({ heading }) => heading).toSorted()))
    .digest('hex')
