import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { UnusableDatabase } from '../../port/opening.ts'

const HEADER_BYTES = 100

/**
 * Overwrites the free pages of a database file that nobody has open: a copy by pages contains them, with deleted
 * content. `VACUUM` would drop them, but renumber the rows that the search index refers to.
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
    const pages = Math.floor(fstatSync(file).size / size)
    let left = header.readUInt32BE(36)
    const demand = (isRight: boolean): void => {
      if (!isRight) throw new UnusableDatabase(`${path} is damaged: its list of free pages is wrong`)
    }
    /** The position of a listed page: never the first one, and no more of them than the header says. */
    const placeOf = (page: number): number => {
      demand(page >= 2 && page <= pages && left-- > 0)
      return (page - 1) * size
    }
    // A trunk page lists free pages and leads to the next one.
    for (let page = header.readUInt32BE(32); page !== 0; page = trunk.readUInt32BE(0)) {
      const place = placeOf(page)
      readSync(file, trunk, 0, size, place)
      const count = trunk.readUInt32BE(4)
      const listed = 8 + 4 * count
      demand(listed <= size)
      for (let at = 8; at < listed; at += 4) writeSync(file, blank, 0, size, placeOf(trunk.readUInt32BE(at)))
      writeSync(file, blank, 0, size - listed, place + listed)
    }
  } finally {
    closeSync(file)
  }
}
