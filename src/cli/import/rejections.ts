import { closeSync, openSync, writeSync } from 'node:fs'
import { BROKEN } from '../../imports/file/record.ts'
import type { FaultyRow, Rejection } from '../../imports/read/read-waves.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { fileFailure, tellFaults } from '../failure.ts'
import { grouped } from '../progress.ts'

/** The number of lines shown for each reason, and for all; the file has all rejected rows. */
const [SHOWN, SHOWN_IN_ALL] = [3, 20]
/** The most reasons that are counted separately. */
const MOST_REASONS = 50

export interface Rejections {
  add(rejection: Rejection): void
  /** Tells of cells that were left empty. */
  emptied(row: FaultyRow): void
  /** Tells how many rows have the reasons that were shown. */
  tellRest(): void
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
  let shown = 0
  const reasons = new Map<string, { readonly text: string; shown: number; more: number }>()

  /** Whether one more row with these reasons is shown. */
  const isShown = (kind: string, faults: readonly Fault[]): boolean => {
    const key = `${kind} ${faults.map(({ code, at }) => `${code} ${at.pointer}`).join()}`
    const known = reasons.get(key) ?? { text: `${kind}${tellFaults(faults, inFile)}`, shown: 0, more: 0 }
    if (!reasons.has(key) && reasons.size === MOST_REASONS) return false
    reasons.set(key, known)
    if (known.shown === SHOWN || shown === SHOWN_IN_ALL) {
      known.more++
      return false
    }
    known.shown++
    shown++
    return true
  }

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
      if (isShown('', faults)) show(`line ${line}: ${reason}`)
      if (file === undefined) return
      lines += `${JSON.stringify({ line, reason, row: row.replaceAll(BROKEN, '') })}\n`
      if (lines.length > 65_536) write()
    },
    emptied({ line, faults }) {
      if (isShown('left empty: ', faults)) show(`line ${line}, left empty: ${tellFaults(faults, inFile)}`)
    },
    tellRest() {
      const rest = [...reasons.values()].filter(({ more }) => more > 0)
      for (const { text, more } of rest)
        show(`and ${grouped(more)} more ${more === 1 ? 'row' : 'rows'} such as: ${text}`)
      if (count > 0 && file === undefined) show('--rejected FILE takes all rejected rows')
    },
    close() {
      write()
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}
