/** A file that can be read at any place, and more than once. */
export interface FileBytes {
  /** Its name in messages. */
  readonly name: string
  readonly size: number
  /** The bytes from a place on, fewer at the end of the file. */
  read(from: number, length: number): Promise<Buffer>
}

/** The number of bytes read at a time. */
export const FILE_PIECE = 65_536

/** All of a file, in pieces. */
export async function* piecesOf(file: FileBytes, from = 0, length = file.size - from): AsyncGenerator<Buffer> {
  const end = from + length
  for (let at = from; at < end; ) {
    const piece = await file.read(at, Math.min(FILE_PIECE, end - at))
    if (piece.length === 0) return
    at += piece.length
    yield piece
  }
}
