import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const HEADER_BYTES = 100

/**
 * Overwrites what is left in the free pages of a database file that nobody has open: a copy by pages has them too, with
 * whatever was deleted. `VACUUM` would drop them, but number the rows anew that the search index refers to.
 * https://sqlite.org/fileformat2.html#the_freelist
 */
export function eraseFreePages(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(file, header, 0, HEADER_BYTES, 0)
    // 1 stands for 65,536, which two bytes cannot hold.
    const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    const blank = Buffer.alloc(size)
    const trunk = Buffer.alloc(size)
    // A trunk page lists free pages and leads to the next one.
    for (let page = header.readUInt32BE(32); page !== 0; page = trunk.readUInt32BE(0)) {
      readSync(file, trunk, 0, size, (page - 1) * size)
      const count = trunk.readUInt32BE(4)
      for (let at = 0; at < count; at++) writeSync(file, blank, 0, size, (trunk.readUInt32BE(8 + 4 * at) - 1) * size)
      const listed = 8 + 4 * count
      writeSync(file, blank, 0, size - listed, (page - 1) * size + listed)
    }
  } finally {
    closeSync(file)
  }
}
