import { after } from 'node:test'

// A room loads this before its files, and so does a file that is run alone: the hook is that of the whole process.

const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing) await close()
})

/** Closes what the files of a process share, after the last of them. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  closing.push(close)
}
