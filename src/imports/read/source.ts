import { isAscii, isUtf8 } from 'node:buffer'
import { fileBounds } from '../../values/bounds.ts'
import { FILE_PIECE, type FileBytes } from '../file/file-bytes.ts'
import { BROKEN } from '../file/record.ts'
import { type UnreadableBecause, UnreadableFile } from '../file/unreadable-file.ts'
import { type Encoding, endsWithReturns } from './recognise.ts'

/** The number of bytes read at a time: texts of this length are collected young. */
const PIECE = 32_768

export interface Source {
  /** The name of the source in messages. */
  readonly name: string
  /** In bytes; undefined for a source without a known end, such as standard input. */
  readonly size: number | undefined
  /** Pieces of whole lines, except perhaps for the last. */
  readonly texts: () => AsyncGenerator<string>
  /** The number of bytes read so far. */
  readonly position: () => number
}

/** The origin of a file's bytes. */
export interface Bytes {
  /** Writes bytes into the buffer from a position on, and returns their number: 0 at the end. */
  read(into: Buffer, from: number): Promise<number>
  /** The number of bytes of the file read so far, if they are converted from another encoding. */
  readonly position?: () => number
  close(): Promise<void>
}

/** One buffer is filled repeatedly, so that reading a large file leaves no garbage except its text. */
export function sourceOf(name: string, size: number | undefined, bytes: Bytes): Source {
  let position = 0
  return {
    name,
    size,
    position: bytes.position ?? (() => position),
    async *texts() {
      let buffer = Buffer.allocUnsafe(PIECE)
      let filled = 0
      let begun = false
      let hasReturns = false
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
          if (!begun) hasReturns ||= endsWithReturns(buffer.toString('latin1', 0, filled))
          if (hasReturns) returnsToNewlines(buffer.subarray(0, filled), Math.max(0, filled - read - 1))
          const newline = buffer.subarray(0, filled).lastIndexOf(NEWLINE)
          if (newline !== -1) yield take(newline + 1)
          else if (filled >= fileBounds.line) throw new UnreadableFile(name, 'long line')
          if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
        }
        const last = take(filled)
        if (last !== '') yield last
      } finally {
        await bytes.close()
      }
    },
  }
}

const NEWLINE = 10
const RETURN = 13

/** A CR before a newline stays, and so does one at the end, which a newline may follow. */
function returnsToNewlines(bytes: Buffer, from: number): void {
  for (let at = bytes.indexOf(RETURN, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(RETURN, at + 1)) {
    if (bytes[at + 1] !== NEWLINE) bytes[at] = NEWLINE
  }
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const notText: readonly (readonly [Buffer, UnreadableBecause])[] = [
  [Buffer.from([0xff, 0xfe]), 'utf-16'],
  [Buffer.from([0xfe, 0xff]), 'utf-16'],
  [Buffer.from([0x1f, 0x8b]), 'compressed'],
  [Buffer.from('PK\u0003\u0004'), 'spreadsheet'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'spreadsheet'],
  [Buffer.from('%PDF-'), 'document'],
  [Buffer.from('{\\rtf'), 'document'],
  [Buffer.from('BEGIN:VCARD'), 'vcard'],
]

/** Why the first bytes of a file are not readable text; undefined if they are. */
export function unreadableBeginning(bytes: Buffer): UnreadableBecause | undefined {
  const known = notText.find(([mark]) => bytes.subarray(0, mark.length).equals(mark))
  if (known !== undefined) return known[1]
  if (bytes.subarray(0, 64).includes(0)) return 'no text'
  const beginning = bytes.toString('latin1', 0, 1024)
  return isMarkup(beginning) || /%PDF-\d\.\d/.test(beginning) ? 'document' : undefined
}

/** Whether a text begins as a page or as XML does. */
export const isMarkup = (beginning: string): boolean => markup.test(beginning)

/** The beginning of a page or of XML, perhaps behind a byte order mark; a heading may be `<DATE>`. */
const markup =
  /^(?:\xef\xbb\xbf|\ufeff)?\s*(?:MIME-Version:|<(?:!doctype|!--|\?xml|html|head|body|table|meta|style|script|title|div|span|center|font|p|tr|td|link|svg)(?![\w-]))/i

/** The beginning without its byte order mark; throws if it is not readable text. */
function withoutMark(bytes: Buffer, name: string): Buffer {
  const because = unreadableBeginning(bytes)
  if (because !== undefined) throw new UnreadableFile(name, because)
  return bytes.subarray(0, 3).equals(UTF8_MARK) ? bytes.subarray(3) : bytes
}

function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeBroken(bytes)
}

/** Line by line; a line that is not UTF-8 is decoded as Latin-1, which it mostly is, and marked. */
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

/** The bytes of a text in UTF-8, whatever its encoding. */
export function textBytes(file: FileBytes, encoding: Encoding): Bytes {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding)
  let position = 0
  let rest: Buffer = Buffer.alloc(0)
  let isOver = false
  const next = async (): Promise<void> => {
    const piece = await file.read(position, FILE_PIECE)
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
