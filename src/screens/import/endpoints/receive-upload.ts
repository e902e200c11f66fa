import { randomFillSync } from 'node:crypto'
import { type Call, header } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { StreamEnded, withPatience } from '../../../http/endpoints/batches/with-patience.ts'
import { dateOrderOf } from '../../../imports/read/date-order.ts'
import { delimiterOf, type Encoding } from '../../../imports/read/recognise.ts'
import { unreadableBeginning } from '../../../imports/read/source.ts'
import { guessColumns, type Matching } from '../../../imports/uploads/matching.ts'
import { beginningOf, headOf, MOST_COLUMNS } from '../../../imports/uploads/preview.ts'
import { LARGEST_UPLOAD, readPiece, type UploadWriter, uploadWriter } from '../../../imports/uploads/upload.ts'
import type { Resource } from '../../../model/schema.ts'
import { uuidV7 } from '../../../values/kinds/uuid.ts'
import { fieldNames } from '../field-names.ts'
import type { RefusedUpload } from '../refused-upload.ts'
import { keptUntil, manageUpload, mayImport } from './addressed-import.ts'
import { boundaryOf, type PartSink, readMultipart } from './multipart.ts'

/** Bytes of a form without its file. */
const LARGEST_REST = 1_000_000

/** The id of an upload, or its fault. */
export type Received = { readonly id: string } | { readonly problem: Problem } | { readonly refused: RefusedUpload }

/** Stores a file, or pasted rows, and guesses how to read it. */
export async function receiveUpload(call: Call): Promise<Received> {
  const { incoming, service } = call
  const boundary = boundaryOf(header(call, 'content-type') ?? '')
  if (incoming === undefined || boundary === undefined) return malformed('The form has no boundary.')
  if (Number(header(call, 'content-length')) > LARGEST_UPLOAD + LARGEST_REST) return { refused: 'size' }
  const { imports } = service.store
  let resource: Resource | undefined
  let what = ''
  let upload: { readonly id: string; readonly writer: UploadWriter } | undefined
  let isTooLarge = false
  let isEarly = false
  let saidWhat = 0

  const keep =
    (name: string): PartSink =>
    async (bytes) => {
      resource ??= mayImport(call).find(({ plural }) => plural === what)
      isEarly ||= resource === undefined
      if (resource === undefined || isTooLarge) return
      if (upload === undefined) {
        const id = uuidV7(Date.now(), randomFillSync(new Uint8Array(10)))
        const params = { resource: resource.plural, name }
        const { kind } = await manageUpload(call, 'create', { params, prepared: { id, endsAt: keptUntil() } })
        if (kind !== 'applied') throw new Error(`an upload called ${JSON.stringify(name)} cannot be kept`)
        upload = { id, writer: uploadWriter(imports, id) }
      }
      if (!(await upload.writer.add(bytes))) isTooLarge = true
    }
  const discard = async (): Promise<void> => {
    if (upload !== undefined) await manageUpload(call, 'remove', { target: { id: upload.id } })
  }

  try {
    const fault = await readMultipart(withPatience(incoming, service.state), boundary, ({ name, file }) => {
      if (name === 'what') {
        saidWhat++
        return (bytes) => {
          what = (what + bytes.toString('utf8')).slice(0, LONGEST_WORD)
        }
      }
      if (name === 'file' && file !== '') return keep(shortName(file ?? ''))
      // Pasted rows count if no file was chosen.
      return name === 'text' && upload === undefined ? keep(PASTED) : () => {}
    })
    if (fault !== undefined || saidWhat > 1) {
      await discard()
      return malformed(fault ?? 'The form says more than once what the file holds.')
    }
  } catch (cause) {
    await discard()
    if (cause instanceof StreamEnded) return { problem: cause.problem }
    throw cause
  }
  const received = await finish()
  if ('refused' in received) await discard()
  return received

  async function finish(): Promise<Received> {
    if (!mayImport(call).some(({ plural }) => plural === what)) return { refused: 'resource' }
    // A file is stored as it arrives, together with its kind.
    if (isEarly) return { refused: 'order' }
    if (isTooLarge) return { refused: 'size' }
    if (upload === undefined || resource === undefined) return { refused: 'empty' }
    const { id, writer } = upload
    const { size, encoding } = await writer.end()
    const beginning = (await readPiece(imports, id, 'file', 0)) ?? Buffer.alloc(0)
    const because = encoding.startsWith('utf-16') ? undefined : unreadableBeginning(beginning)
    if (because !== undefined) return { refused: because }
    const matching = await guessMatching(call, id, encoding, resource)
    if ('refused' in matching) return matching
    const prepared = { matching: JSON.stringify(matching), size, endsAt: keptUntil() }
    await manageUpload(call, 'match', { target: { id }, prepared })
    return { id }
  }
}

const malformed = (detail: string): { readonly problem: Problem } => ({ problem: { code: 'malformed-body', detail } })

/** The most likely way to read a file; refused if it has no header. */
export async function guessMatching(
  { service, reader }: Call,
  id: string,
  encoding: Encoding,
  resource: Resource,
  given?: string,
): Promise<Matching | { readonly refused: Exclude<RefusedUpload, 'size'> }> {
  const text = (await beginningOf(service.store.imports, id, encoding)) ?? ''
  if (/^\s*(?:\[\s*)?\{\s*"/.test(text)) return { refused: 'json' }
  const delimiter = given ?? delimiterOf(text)
  const head = headOf(text, delimiter)
  if ('fault' in head) return { refused: { header: head.fault } }
  const { header, rows } = head
  if (header.every((cell) => cell === '')) return { refused: 'empty' }
  if (header.length > MOST_COLUMNS) return { refused: 'columns' }
  const dates = dateOrderOf(rows.flat(), reader.locale)
  return { encoding, delimiter, header, columns: guessColumns(header, fieldNames(resource)), dates }
}

const LONGEST_WORD = 64
const LONGEST_NAME = 200
/** Pasted rows have no name; a page describes them. */
const PASTED = ''

/** Some browsers send the folder too. Control characters do not belong in a name. */
const shortName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replaceAll(/[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu, '')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
