import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { ImportPart, ImportStore } from '../../store/port/import-store.ts'
import { type Encoding, encodingOf } from '../read/recognise.ts'
import type { Bytes } from '../read/source.ts'

/** The largest file, in bytes. Larger ones are for the command line. */
export const LARGEST_UPLOAD = 50_000_000

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
      if (size > LARGEST_UPLOAD) return false
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

/** The bytes of an uploaded file in UTF-8, whatever its encoding. */
export function uploadedBytes(imports: ImportStore, id: string, encoding: Encoding): Bytes {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding)
  let number = 0
  let position = 0
  let rest: Buffer = Buffer.alloc(0)
  let isOver = false
  const next = async (): Promise<void> => {
    const piece = await readPiece(imports, id, 'file', number++)
    isOver = piece === undefined
    position += piece?.length ?? 0
    if (decoder === undefined) rest = piece ?? rest
    else rest = Buffer.from(decoder.decode(piece, { stream: piece !== undefined }))
  }
  return {
    position: () => position,
    async read(into, from) {
      while (rest.length === 0 && !isOver) await next()
      const copied = rest.copy(into, from)
      rest = rest.subarray(copied)
      return copied
    },
    close: async () => {},
  }
}
