import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import type { ImportPart, ImportStore } from '../../store/port/import-store.ts'
import { fileBounds } from '../../values/bounds.ts'
import type { FileBytes } from '../file/file-bytes.ts'
import { type Encoding, encodingOf } from '../read/recognise.ts'

/** The number of bytes of a file in one row of the store. */
const PIECE = 262_144

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** Pieces are compressed, so that as texts they are not longer than the file. */
export const packed = async (bytes: Uint8Array | string): Promise<string> => (await compress(bytes)).toString('base64')

const unpacked = (content: string): Promise<Buffer> => expand(Buffer.from(content, 'base64'))

export async function readPiece(
  imports: ImportStore,
  id: string,
  part: ImportPart,
  number: number,
): Promise<Buffer | undefined> {
  const content = await imports.piece(id, part, number)
  return content === undefined ? undefined : unpacked(content)
}

export interface UploadWriter {
  /** False once the file is too large: nothing more is stored. */
  add(bytes: Buffer): Promise<boolean>
  end(): Promise<{ readonly size: number; readonly encoding: Encoding }>
}

/** Stores a file that comes in pieces, with a few of them in memory at a time. */
export function uploadWriter(imports: ImportStore, id: string): UploadWriter {
  const recognised = encodingOf()
  let waiting: Buffer[] = []
  let length = 0
  let size = 0
  let number = 0
  const flush = async (): Promise<void> => {
    if (length === 0) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    length = 0
    recognised.add(bytes)
    await imports.putPiece(id, 'file', number++, await packed(bytes))
  }
  return {
    async add(bytes) {
      size += bytes.length
      if (size > fileBounds.bytes) return false
      waiting.push(bytes)
      length += bytes.length
      if (length >= PIECE) await flush()
      return true
    },
    async end() {
      await flush()
      return { size, encoding: recognised.found() }
    },
  }
}

/** An uploaded file. Its pieces differ in length, so their places are learnt as they are read. */
export function uploadedFile(
  imports: ImportStore,
  { id, name, size }: Pick<Upload, 'id' | 'name' | 'size'>,
): FileBytes {
  /** The place at which each piece ends. */
  const ends: number[] = []
  let last: { readonly number: number; readonly bytes: Buffer } | undefined
  const piece = async (number: number): Promise<Buffer> => {
    if (last?.number === number) return last.bytes
    const bytes = (await readPiece(imports, id, 'file', number)) ?? Buffer.alloc(0)
    ends[number] = (ends[number - 1] ?? 0) + bytes.length
    last = { number, bytes }
    return bytes
  }
  return {
    name,
    size,
    async read(from, length) {
      const known = ends.findIndex((end) => end > from)
      let number = known === -1 ? ends.length : known
      let bytes = await piece(number)
      while (bytes.length > 0 && (ends[number] ?? 0) <= from) bytes = await piece(++number)
      const start = from - (ends[number - 1] ?? 0)
      const found = bytes.subarray(start, start + length)
      if (found.length === length || bytes.length === 0) return found
      return Buffer.concat([found, await this.read(from + found.length, length - found.length)])
    },
  }
}
