import { type UnreadableBecause, UnreadableFile } from '../../../imports/file/unreadable-file.ts'
import { type GivenReading, glance } from '../../../imports/read/examine.ts'
import type { Matching } from '../../../imports/read/matching.ts'
import { uploadedFile } from '../../../imports/uploads/upload.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Upload } from '../../../model/nouns/imports/upload.ts'
import { fileBounds } from '../../../values/bounds.ts'
import { type Fault, isReason } from '../../../values/faults/fault.ts'
import type { Call } from '../../contract/endpoint.ts'

/** The most likely way to read a file, from its beginning; the fault of one that cannot be read. */
export async function guessMatching(
  { service }: Call,
  upload: Pick<Upload, 'id' | 'name' | 'size'>,
  resource: Resource,
  given: GivenReading,
): Promise<Matching | { readonly fault: Fault }> {
  try {
    return (await glance(uploadedFile(service.store.imports, upload), resource, given)).matching
  } catch (cause) {
    if (!(cause instanceof UnreadableFile)) throw cause
    return { fault: unreadableFault(cause.because) }
  }
}

export function unreadableFault(because: UnreadableFile['because']): Fault {
  const at = { pointer: '/file' }
  if (because === 'columns') return { code: 'too-many', with: { max: fileBounds.columns, wants: 'columns' }, at }
  if (typeof because === 'string') return { code: 'unreadable', with: { wants: wanted[because] }, at }
  const { why } = because.header.with ?? {}
  return { code: 'unreadable', with: { wants: 'header', why: isReason(why) ? why : because.header }, at }
}

/** The right file for each fault. */
const wanted: Readonly<Record<Exclude<UnreadableBecause, 'columns'>, string>> = {
  empty: 'rows',
  'long line': 'short-lines',
  compressed: 'uncompressed',
  spreadsheet: 'csv',
  damaged: 'undamaged',
  encrypted: 'unprotected',
  'too large': 'parts',
  document: 'table',
  vcard: 'no-vcard',
  'utf-16': 'utf-8',
  'no text': 'text',
  json: 'no-json',
  array: 'ndjson',
  'no headings': 'headings',
  'no sheet': 'sheet',
}
