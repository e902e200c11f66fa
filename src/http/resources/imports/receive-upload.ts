import { randomFillSync } from 'node:crypto'
import { dateOrderOf } from '../../../imports/read/date-order.ts'
import { delimiterOf, type Encoding } from '../../../imports/read/recognise.ts'
import { unreadableBeginning } from '../../../imports/read/source.ts'
import type { UnreadableBecause } from '../../../imports/read/unreadable-file.ts'
import { guessColumns, type Matching } from '../../../imports/uploads/matching.ts'
import { beginningOf, headOf } from '../../../imports/uploads/preview.ts'
import { readPiece, type UploadWriter, uploadWriter } from '../../../imports/uploads/upload.ts'
import type { Resource } from '../../../model/resource.ts'
import { uuidV7 } from '../../../values/kinds/uuid.ts'
import { fieldNames } from '../../../views/import/field-names.ts'
import { type Call, header } from '../../endpoint.ts'
import { StreamEnded, withPatience } from '../batches/with-patience.ts'
import { keptUntil, mayImport, ownerOf } from './addressed-import.ts'
import { boundaryOf, type PartSink, readMultipart } from './multipart.ts'

/** The id of an upload, or what is wrong with what was sent. */
export type Received =
  | { readonly id: string }
  | { readonly malformed: string }
  | { readonly refused: 'resource' | 'size' | UnreadableBecause }

/** Keeps a file that is sent, or rows that were pasted, and guesses how to read it. */
export async function receiveUpload(call: Call): Promise<Received> {
  const { incoming, service } = call
  const boundary = boundaryOf(header(call, 'content-type') ?? '')
  if (incoming === undefined || boundary === undefined) return { malformed: 'The form has no boundary.' }
  const { imports } = service.store
  const now = new Date().toISOString()
  let resource: Resource | undefined
  let what = ''
  let upload: { readonly id: string; readonly writer: UploadWriter } | undefined
  let isTooLarge = false

  const keep =
    (name: string): PartSink =>
    async (bytes) => {
      resource ??= mayImport(call).find(({ plural }) => plural === what)
      if (resource === undefined || isTooLarge) return
      if (upload === undefined) {
        const id = uuidV7(Date.parse(now), randomFillSync(new Uint8Array(10)))
        await imports.add(
          { id, owner: ownerOf(call), resource: resource.plural, name, createdAt: now, endsAt: keptUntil() },
          now,
        )
        upload = { id, writer: uploadWriter(imports, id) }
      }
      if (!(await upload.writer.add(bytes))) isTooLarge = true
    }
  const discard = async (): Promise<void> => {
    if (upload !== undefined) await imports.remove(upload.id, ownerOf(call))
  }

  try {
    const malformed = await readMultipart(withPatience(incoming, service.state), boundary, ({ name, file }) => {
      if (name === 'what') {
        return (bytes) => {
          what = (what + bytes.toString('utf8')).slice(0, LONGEST_WORD)
        }
      }
      if (name === 'file' && file !== '') return keep(shortName(file ?? ''))
      // Rows that were pasted count where no file was chosen.
      return name === 'text' && upload === undefined ? keep(PASTED) : () => {}
    })
    if (malformed !== undefined) {
      await discard()
      return { malformed }
    }
  } catch (cause) {
    await discard()
    if (cause instanceof StreamEnded) return { malformed: cause.problem.detail }
    throw cause
  }
  const refused = await finish()
  if (typeof refused === 'string') await discard()
  return typeof refused === 'string' ? { refused } : refused

  async function finish(): Promise<Received | Extract<Received, { refused: unknown }>['refused']> {
    if (!mayImport(call).some(({ plural }) => plural === what)) return 'resource'
    if (isTooLarge) return 'size'
    if (upload === undefined || resource === undefined) return 'empty'
    const { id, writer } = upload
    const { size, encoding } = await writer.end()
    const beginning = (await readPiece(imports, id, 'file', 0)) ?? Buffer.alloc(0)
    const because = encoding.startsWith('utf-16') ? undefined : unreadableBeginning(beginning)
    if (because !== undefined) return because
    const matching = await guessMatching(call, id, encoding, resource)
    if (matching === undefined) return 'empty'
    await imports.match(id, JSON.stringify(matching), size, keptUntil())
    return { id }
  }
}

/** How a file is most likely read; undefined if it has no header. */
export async function guessMatching(
  { service, reader }: Call,
  id: string,
  encoding: Encoding,
  resource: Resource,
  given?: string,
): Promise<Matching | undefined> {
  const text = (await beginningOf(service.store.imports, id, encoding)) ?? ''
  const delimiter = given ?? delimiterOf(text)
  const { header, rows } = headOf(text, delimiter)
  if (header.every((cell) => cell === '')) return undefined
  const dates = dateOrderOf(rows.flat(), reader.locale)
  return { encoding, delimiter, header, columns: guessColumns(header, fieldNames(resource)), dates }
}

const LONGEST_WORD = 64
const LONGEST_NAME = 200
/** Rows that were pasted have no name; a page says what they are. */
const PASTED = ''

/** Some browsers send the folder too. Control characters belong in no name. */
const shortName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '').replaceAll(/[\p{Control}\p{Surrogate}]/gu, '').slice(0, LONGEST_NAME)
