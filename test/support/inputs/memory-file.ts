import type { FileBytes } from '../../../src/imports/file/file-bytes.ts'

/** A file in memory. */
export function memoryFile(content: string | Buffer, name = 'people.csv'): FileBytes {
  const bytes = Buffer.from(content)
  return { name, size: bytes.length, read: async (from, length) => bytes.subarray(from, from + length) }
}
