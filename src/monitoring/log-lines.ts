import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'

/** How many characters wait for a disk that is full, or a reader who does not read; what comes beyond that is lost. */
const MOST_WAITING = 65_536

const STANDARD_ERROR = 2

let dropped = 0

/** The lines of the log that were lost since the start. */
export const droppedLines = (): number => dropped

/** Milliseconds that a process which ends waits for the reader of its last lines. */
const LONGEST_FLUSH = 200

let flush: () => Promise<void> = async () => {}

/** Waits until what was logged is read, so that the process can end; not for a reader who does not read. */
export const lastLines = (atMost = LONGEST_FLUSH): Promise<void> => Promise.race([flush(), pause(atMost)])

/** Each line is written at once, or when there is room; whatever becomes of it, it holds nothing up. */
export function standardError(): DestinationStream {
  const place = fstatSync(STANDARD_ERROR)
  return place.isFIFO() || place.isSocket() ? toReader() : toFile()
}

/** A write to a pipe that is full would wait for its reader, and everything else with it. A stream waits beside. */
function toReader(): DestinationStream {
  // Opened first: it waits, and would make this one wait too where both are the same pipe.
  void process.stdout
  const pipe = new Socket({ fd: STANDARD_ERROR, readable: false, writable: true })
  // A reader who left.
  pipe.on('error', () => {})
  pipe.unref()
  // Its turn comes after all that waits.
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

/** A line that cannot be written comes with the next that can. */
function toFile(): DestinationStream {
  const lines = pino.destination({ dest: STANDARD_ERROR, sync: true, maxLength: MOST_WAITING })
  lines.on('error', () => {})
  lines.on('drop', () => {
    dropped++
  })
  // Without `flushSync`, which pino calls for what is fatal: it tries until the disk has room, and holds up everything.
  return { write: (line) => lines.write(line) }
}
