import type { Readable, Writable } from 'node:stream'

/** Where a command reads and writes: the process, or a test. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  /** What was asked for, and nothing else. */
  readonly output: Writable
  /** What a person wants to know besides. */
  readonly notes: Writable
}

export const ownTerminal: Terminal = { input: process.stdin, output: process.stdout, notes: process.stderr }
