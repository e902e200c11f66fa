import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'

/** The number of characters that wait for a full disk, or for a reader who does not read; further lines are lost. */
const MOST_WAITING = 65_536

const STANDARD_ERROR = 2

let dropped = 0

/** The number of log lines that were lost since the start. */
export const droppedLines = (): number => dropped

/** Milliseconds for which an ending process waits for the reader of its last lines. */
const LONGEST_FLUSH = 200

let flush: () => Promise<void> = async () => {}

/** Waits until the log has been read, so that the process can end, but not for a reader who does not read. */
export const lastLines = (atMost = LONGEST_FLUSH): Promise<void> => Promise.race([flush(), pause(atMost)])

/** Each line is written at once, or when there is room; a line that cannot be written blocks nothing. */
export function standardError(): DestinationStream {
  const place = fstatSync(STANDARD_ERROR)
  return place.isFIFO() || place.isSocket() ? toReader() : toFile()
}

/** A write to a full pipe would block until its reader reads, and everything else with it. A stream does not. */
function toReader(): DestinationStream {
  // Opened first: it blocks, and would make this one block too if both are the same pipe.
  void process.stdout
  const pipe = new Socket({ fd: STANDARD_ERROR, readable: false, writable: true })
  // The reader has left.
  pipe.on('error', () => {})
  pipe.unref()
  // This write comes after everything that waits.
  flush = () => new Promise((resolve) => void pipe.write('', () => resolve()))
  let lost = 0
  return {
    write(line) {
      if (pipe.destroyed || pipe.writableLength + line.length > MOST_WAITING) {
        dropped++
        lost++
        return
      }
      pipe.write(lost === 0 ? line : `${lossLine(lost)}${line}`)
      lost = 0
    },
  }
}

const lossLine = (count: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), count, msg: 'log lines were lost: nobody read them' })}\n`

/** A line that cannot be written is written with the next one that can. */
function toFile(): DestinationStream {
  const lines = pino.destination({ dest: STANDARD_ERROR, sync: true, maxLength: MOST_WAITING })
  lines.on('error', () => {})
  lines.on('drop', () => {
    dropped++
  })
  // Without `flushSync`, which pino calls for fatal errors: it retries until the disk has room, and blocks everything.
  return { write: (line) => lines.write(line) }
}
