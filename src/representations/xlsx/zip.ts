import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Sizes and offsets have 32 bits. */
export const LARGEST_FILE = 2 ** 32 - 1

interface ZipFile {
  readonly name: Buffer
  readonly at: number
  crc: number
  size: number
  packed: number
}

/** A ZIP archive (APPNOTE 6.3), written piece by piece: sizes follow their data, so only the directory is kept. */
export function zipWriter() {
  const files: ZipFile[] = []
  let length = 0
  let file: ZipFile | undefined

  const counted = (...parts: readonly Buffer[]): Buffer => {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    length += bytes.length
    if (length > LARGEST_FILE) throw new Error('a ZIP archive cannot be larger than 4 GiB')
    return bytes
  }
  const current = (): ZipFile => {
    if (file === undefined) throw new Error('no file is open')
    return file
  }
  const sizesOf = ({ crc, packed, size }: ZipFile): Buffer => numbers([4, crc], [4, packed], [4, size])

  return {
    /** Begins a file. */
    open(name: string): Uint8Array {
      file = { name: Buffer.from(name), at: length, crc: 0, size: 0, packed: 0 }
      files.push(file)
      return counted(
        numbers([4, 0x04034b50]),
        common,
        Buffer.alloc(12),
        numbers([2, file.name.length], [2, 0]),
        file.name,
      )
    },
    add(text: string): Uint8Array {
      const bytes = Buffer.from(text)
      // Every piece ends at a byte, with a block that is not the last, so pieces can be concatenated.
      const packed = deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH })
      const open = current()
      open.crc = crc32(bytes, open.crc)
      open.size += bytes.length
      open.packed += packed.length
      return counted(packed)
    },
    close(): Uint8Array {
      const open = current()
      open.packed += lastBlock.length
      file = undefined
      return counted(lastBlock, numbers([4, 0x08074b50]), sizesOf(open))
    },
    /** The directory, which ends the archive. */
    end(): Uint8Array {
      const at = length
      const entries = files.map((each) =>
        Buffer.concat([
          numbers([4, 0x02014b50], [2, VERSION]),
          common,
          sizesOf(each),
          numbers([2, each.name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, each.at]),
          each.name,
        ]),
      )
      const directory = Buffer.concat(entries)
      const count = [2, files.length] as const
      return counted(
        directory,
        numbers([4, 0x06054b50], [2, 0], [2, 0], count, count, [4, directory.length], [4, at], [2, 0]),
      )
    },
  }
}

const LEVEL = 3
const VERSION = 20
const lastBlock = deflateRawSync('')

function numbers(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

/** Version, flags (sizes follow, names are UTF-8), deflate, and the earliest date: archives have no clock. */
const common = numbers([2, VERSION], [2, 0x0808], [2, 8], [2, 0], [2, 0x0021])
