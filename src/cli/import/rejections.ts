import { closeSync, openSync, writeSync } from 'node:fs'
import { BROKEN } from '../../imports/file/record.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import { fileFailure, tellFaults } from '../failure.ts'

/** The number of rejections shown; the file has all of them. */
const SHOWN = 20

export interface Rejections {
  add(rejection: Rejection): void
  count(): number
  close(): void
}

/**
 * Writes the rejected rows, with their reasons, to a file that is created with the first of them. Without a file, as in
 * a dry run, they are only shown.
 */
export function keepRejections(
  file: string | undefined,
  show: (line: string) => void,
  inFile: ReadonlyMap<string, string>,
): Rejections {
  let descriptor: number | undefined
  let lines = ''
  let count = 0

  const write = (): void => {
    if (lines === '' || file === undefined) return
    try {
      descriptor ??= openSync(file, 'w')
      writeSync(descriptor, lines)
      lines = ''
    } catch (cause) {
      throw fileFailure(file, cause)
    }
  }

  return {
    count: () => count,
    add({ line, faults, row }) {
      const reason = tellFaults(faults, inFile)
      count++
      if (count <= SHOWN) show(`line ${line}: ${reason}`)
      if (count === SHOWN + 1)
        show(`and more; ${file === undefined ? '--rejected FILE takes' : `${file} has`} all of them`)
      if (file === undefined) return
      lines += `${JSON.stringify({ line, reason, row: row.replaceAll(BROKEN, '') })}\n`
      if (lines.length > 65_536) write()
    },
    close() {
      write()
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}
