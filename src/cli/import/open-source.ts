import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import type { FileBytes } from '../../imports/file/file-bytes.ts'
import { type Bytes, type Source, sourceOf } from '../../imports/read/source.ts'
import { Failure, fileFailure } from '../failure.ts'

/** Standard input, of which only the beginning is known before the rest arrives. */
export const standardInput = (signal: AbortSignal): Source =>
  sourceOf('standard input', undefined, fromInput(process.stdin, signal))

/** A file that is open until it is closed. */
export interface OpenFile extends FileBytes {
  close(): Promise<void>
}

/** Opens a file; throws `Failure` if there is nothing to read. */
export async function openFile(file: string): Promise<OpenFile> {
  try {
    const handle = await open(file)
    const stat = await handle.stat()
    const isFolder = stat.isDirectory()
    if (isFolder || (stat.isFile() && stat.size === 0)) {
      await handle.close()
      throw new Failure(isFolder ? `${file} is a folder; name a file in it` : `${file} is empty`)
    }
    return { name: file, size: stat.size, read: reading(file, handle), close: () => handle.close() }
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

const reading =
  (file: string, handle: FileHandle): FileBytes['read'] =>
  async (from, length) => {
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    } catch (cause) {
      throw fileFailure(file, cause)
    }
  }

/** Input may not arrive for a long time, so an interruption must not wait for it. */
function fromInput(input: NodeJS.ReadStream, signal: AbortSignal): Bytes {
  const pieces = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const interrupted = once(signal, 'abort').then(() => ({ value: undefined }))
  let piece: Buffer = Buffer.alloc(0)
  return {
    async read(into, from) {
      if (piece.length === 0) piece = (await Promise.race([pieces.next(), interrupted])).value ?? piece
      const copied = piece.copy(into, from)
      piece = piece.subarray(copied)
      return copied
    },
    async close() {
      input.destroy()
    },
  }
}
