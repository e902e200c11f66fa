import type { Encoding } from './recognise.ts'
import type { Bytes } from './source.ts'

/** A file that can be read at any place, and more than once. */
export interface FileBytes {
  /** Its name in messages. */
  readonly name: string
  readonly size: number
  /** The bytes from a place on, fewer at the end of the file. */
  read(from: number, length: number): Promise<Buffer>
}

/** The number of bytes read at a time. */
const PIECE = 65_536

/** All of a file, in pieces. */
export async function* piecesOf(file: FileBytes, from = 0, length = file.size - from): AsyncGenerator<Buffer> {
  const end = from + length
  for (let at = from; at < end; ) {
    const piece = await file.read(at, Math.min(PIECE, end - at))
    if (piece.length === 0) return
    at += piece.length
    yield piece
  }
}

/** The bytes of a text in UTF-8, whatever its encoding. */
export function textBytes(file: FileBytes, encoding: Encoding): Bytes {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding)
  let position = 0
  let rest: Buffer = Buffer.alloc(0)
  let isOver = false
  const next = async (): Promise<void> => {
    const piece = await file.read(position, PIECE)
    isOver = piece.length === 0
    position += piece.length
    rest = decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: !isOver }))
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
