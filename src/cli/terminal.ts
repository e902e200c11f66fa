import type { Readable, Writable } from 'node:stream'

/** The streams of a command: those of the process, or of a test. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  /** The result, and nothing else. */
  readonly output: Writable
  /** Messages for people. */
  readonly notes: Writable
}

export const ownTerminal: Terminal = { input: process.stdin, output: process.stdout, notes: process.stderr }
