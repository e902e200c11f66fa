import { after } from 'node:test'

// A room loads this before its files, and so does a file that is run alone: the hook is that of the whole process.

const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing) await close()
  setTimeout(tellOpen, LONGEST_END).unref()
})

/** Milliseconds. A process in which nothing is left open has ended long before. */
const LONGEST_END = 60_000

/** What a failed test left open must not keep the whole run: it is told, and the process ends with its results. */
function tellOpen(): void {
  process.stderr.write(`${process.argv[1]} was ended; left open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit()
}

/** Closes what the files of a process share, after the last of them. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  closing.push(close)
}
