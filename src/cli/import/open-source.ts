import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { type Bytes, type Source, sourceOf } from '../../imports/read/source.ts'
import { Failure, fileFailure } from '../failure.ts'

/** A file, or standard input for `-`; throws `Failure` if there is nothing to read. */
export async function openSource(file: string, signal: AbortSignal): Promise<Source> {
  if (file === '-') return sourceOf('standard input', undefined, fromInput(process.stdin, signal))
  try {
    const handle = await open(file)
    const stat = await handle.stat()
    const isFolder = stat.isDirectory()
    if (isFolder || (stat.isFile() && stat.size === 0)) {
      await handle.close()
      throw new Failure(isFolder ? `${file} is a folder; name a file in it` : `${file} is empty`)
    }
    return sourceOf(file, stat.isFile() ? stat.size : undefined, fromFile(file, handle))
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

const fromFile = (file: string, handle: FileHandle): Bytes => ({
  async read(into, from) {
    try {
      return (await handle.read(into, from, into.length - from)).bytesRead
    } catch (cause) {
      throw fileFailure(file, cause)
    }
  },
  close: () => handle.close(),
})

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
