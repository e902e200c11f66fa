import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { sheetBounds } from '../../values/bounds.ts'
import { type FileBytes, piecesOf } from '../file/file-bytes.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'

/** The end of an archive may have a comment of 65,535 bytes behind its 22. */
const LONGEST_END = 65_557

/** The entries of a ZIP archive (APPNOTE 6.3) by name; each is unpacked as it is read. */
export type ZipEntries = ReadonlyMap<string, () => AsyncGenerator<Buffer>>

/** Reads the directory of an archive. Throws `UnreadableFile`. */
export async function zipEntries(file: FileBytes): Promise<ZipEntries> {
  const damaged = new UnreadableFile(file.name, 'damaged')
  const end = await file.read(Math.max(0, file.size - LONGEST_END), LONGEST_END)
  const at = end.lastIndexOf(END)
  if (at === -1 || at + 22 > end.length) throw damaged
  const [size, from] = [end.readUInt32LE(at + 12), end.readUInt32LE(at + 16)]
  if (size > sheetBounds.directory || from + size > file.size) throw damaged
  const directory = await file.read(from, size)
  const entries = new Map<string, () => AsyncGenerator<Buffer>>()
  for (let next = 0; next + 46 <= directory.length && directory.readUInt32LE(next) === ENTRY; ) {
    const lengths = [28, 30, 32].map((place) => directory.readUInt16LE(next + place))
    const [name = 0, extra = 0, comment = 0] = lengths
    const entry: ZipEntry = {
      isEncrypted: (directory.readUInt16LE(next + 8) & 1) === 1,
      method: directory.readUInt16LE(next + 10),
      packed: directory.readUInt32LE(next + 20),
      size: directory.readUInt32LE(next + 24),
      at: directory.readUInt32LE(next + 42),
    }
    entries.set(directory.toString('utf8', next + 46, next + 46 + name), () => unpacked(file, entry))
    next += 46 + name + extra + comment
  }
  return entries
}

const END = Buffer.from('PK\u0005\u0006')
const ENTRY = 0x02014b50
const HEAD = 0x04034b50
const [STORED, DEFLATED] = [0, 8]

interface ZipEntry {
  readonly isEncrypted: boolean
  readonly method: number
  readonly packed: number
  /** Once it is unpacked. */
  readonly size: number
  readonly at: number
}

/** The most that a number of packed bytes may become. */
export const sizeFrom = (packed: number): number => Math.max(sheetBounds.dense, packed * sheetBounds.density)

/** An entry is refused by the size that it declares, before it is unpacked, and must not have more. */
async function* unpacked(file: FileBytes, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { isEncrypted, method, packed, size, at } = entry
  if (size > Math.min(sheetBounds.entry, sizeFrom(packed))) throw new UnreadableFile(file.name, 'too large')
  const head = await file.read(at, 30)
  if (isEncrypted) throw new UnreadableFile(file.name, 'encrypted')
  if (head.length < 30 || head.readUInt32LE(0) !== HEAD) throw new UnreadableFile(file.name, 'damaged')
  const from = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (method !== STORED && method !== DEFLATED) throw new UnreadableFile(file.name, 'damaged')
  let length = 0
  const pieces = piecesOf(file, from, Math.min(packed, file.size - from))
  for await (const piece of method === STORED ? pieces : inflated(pieces, file.name)) {
    length += piece.length
    if (length > size) throw new UnreadableFile(file.name, 'damaged')
    yield piece
  }
}

async function* inflated(pieces: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces)
  const inflate = createInflateRaw()
  source.on('error', (cause) => inflate.destroy(cause))
  try {
    for await (const piece of source.pipe(inflate)) yield piece as Buffer
  } catch (cause) {
    // An error of zlib has a code; an error of the source is passed on.
    throw (cause as { readonly code?: string }).code?.startsWith('Z_') ? new UnreadableFile(name, 'damaged') : cause
  } finally {
    source.destroy()
    inflate.destroy()
  }
}
