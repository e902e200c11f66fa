import { isAscii, isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure, fileFailure } from '../../failure.ts'
import { BROKEN } from './record.ts'

/** How much is read at a time: texts of this length are collected young. */
const PIECE = 32_768
const LONGEST_LINE = 1_048_576

export interface Source {
  /** What the source is called in messages. */
  readonly name: string
  /** In bytes; nothing for a source whose end is not known, such as standard input. */
  readonly size: number | undefined
  /** Pieces of whole lines, except perhaps for the last. */
  readonly texts: () => AsyncGenerator<string>
  /** How many bytes were read. */
  readonly position: () => number
}

/** A file, or standard input for `-`; throws `Failure` when there is nothing that could be read. */
export async function openSource(file: string, signal: AbortSignal): Promise<Source> {
  if (file === '-') return source('standard input', undefined, fromInput(process.stdin, signal))
  try {
    const handle = await open(file)
    const stat = await handle.stat()
    if (stat.isDirectory()) throw new Failure(`${file} is a folder; name a file in it`)
    if (stat.isFile() && stat.size === 0) throw new Failure(`${file} is empty`)
    return source(file, stat.isFile() ? stat.size : undefined, fromFile(handle))
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

interface Bytes {
  /** Puts bytes into the buffer from a place on, and says how many: 0 at the end. */
  read(into: Buffer, from: number): Promise<number>
  close(): Promise<void>
}

const fromFile = (handle: FileHandle): Bytes => ({
  read: async (into, from) => (await handle.read(into, from, into.length - from)).bytesRead,
  close: () => handle.close(),
})

/** Whoever writes there may wait for long, so that an interruption must not wait for them. */
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

/** One buffer is filled again and again, so that reading a large file leaves no garbage but its text. */
function source(name: string, size: number | undefined, bytes: Bytes): Source {
  let position = 0
  return {
    name,
    size,
    position: () => position,
    async *texts() {
      let buffer = Buffer.allocUnsafe(PIECE)
      let filled = 0
      let begun = false
      const take = (end: number): string => {
        const taken = buffer.subarray(0, end)
        const text = decode(begun ? taken : withoutMark(taken, name))
        begun = true
        buffer.copyWithin(0, end, filled)
        filled -= end
        return text
      }
      try {
        for (;;) {
          const read = await bytes.read(buffer, filled)
          if (read === 0) break
          position += read
          filled += read
          const newline = buffer.subarray(0, filled).lastIndexOf(NEWLINE)
          if (newline !== -1) yield take(newline + 1)
          else if (filled >= LONGEST_LINE) throw new Failure(`${name} has a line of more than ${LONGEST_LINE} bytes`)
          if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
        }
        const last = take(filled)
        if (last !== '') yield last
      } catch (cause) {
        throw fileFailure(name, cause)
      } finally {
        await bytes.close()
      }
    },
  }
}

const NEWLINE = 10

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const notText: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0xff, 0xfe]), 'is UTF-16; save it as UTF-8'],
  [Buffer.from([0xfe, 0xff]), 'is UTF-16; save it as UTF-8'],
  [Buffer.from([0x1f, 0x8b]), 'is compressed; unpack it first'],
  [Buffer.from('PK\u0003\u0004'), 'is compressed or a spreadsheet; save it as CSV'],
]

/** The beginning without its byte order mark; refused when it is no text that can be read here. */
function withoutMark(bytes: Buffer, name: string): Buffer {
  const known = notText.find(([mark]) => bytes.subarray(0, mark.length).equals(mark))
  if (known !== undefined) throw new Failure(`${name} ${known[1]}`)
  if (bytes.subarray(0, 64).includes(0)) throw new Failure(`${name} is UTF-16 or no text at all; save it as UTF-8`)
  return bytes.subarray(0, 3).equals(UTF8_MARK) ? bytes.subarray(3) : bytes
}

function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeBroken(bytes)
}

/** Line by line; one that is not UTF-8 is shown as Latin-1, which it mostly is, and marked. */
function decodeBroken(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.subarray(at, end)
    text += isUtf8(line) ? line.toString('utf8') : `${line.toString('latin1').replace(/\r$/, '')}${BROKEN}`
    if (newline !== -1) text += '\n'
    at = end + 1
  }
  return text
}
