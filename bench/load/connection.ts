import { connect } from 'node:net'

/** An answer as far as a load generator looks at it. */
export interface Answer {
  readonly status: number
  /** Of the body, without what frames its chunks. */
  readonly bytes: number
  /** Of a streamed body. */
  readonly lines: number
  /** The whole body where it was asked to be kept; valid until the next request. */
  readonly body: Buffer
}

/** One request at a time, on one socket that stays open. */
export interface Connection {
  ask(request: string, answered: (answer: Answer) => void): void
  /** All bytes that came, heads and frames included. */
  received(): number
  close(): void
}

const BUFFER = 65_536
const nothing = Buffer.alloc(0)

/**
 * HTTP/1.1 read with as little work as can be: the status, where the body ends, and no headers besides.
 * A general client costs several times as much and would take the processor from the server.
 */
export function openConnection(
  port: number,
  keepsBodies: boolean,
  failed: (cause: Error) => void,
): Promise<Connection> {
  let answered: ((answer: Answer) => void) | undefined
  const finish = (answer: Answer): void => {
    const tell = answered
    answered = undefined
    tell?.(answer)
  }
  const read = answerReader(keepsBodies, finish)
  let received = 0
  return new Promise((resolve) => {
    const buffer = Buffer.alloc(BUFFER)
    const onread = {
      buffer,
      callback(length: number) {
        received += length
        read(buffer.subarray(0, length))
        return true
      },
    }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread }, () => {
      resolve({
        ask(request, told) {
          answered = told
          socket.write(request, 'latin1')
        },
        received: () => received,
        close: () => socket.destroy(),
      })
    })
    socket.on('error', failed)
    socket.on('close', () => {
      if (answered !== undefined) failed(new Error('the server closed the connection before it answered'))
    })
  })
}

function answerReader(keepsBodies: boolean, finish: (answer: Answer) => void): (data: Buffer) => void {
  let head: Buffer | undefined
  let status = 0
  let take: ((data: Buffer) => void) | undefined

  const begin = (data: Buffer): void => {
    const end = data.indexOf('\r\n\r\n')
    if (end === -1) {
      head = Buffer.from(data)
      return
    }
    head = undefined
    const text = data.toString('latin1', 0, end)
    status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    if (length !== undefined) take = ofLength(Number(length), keepsBodies, done)
    else if (/\r\ntransfer-encoding: *chunked/i.test(text)) take = ofChunks(done)
    else return done(0, 0, nothing)
    take(data.subarray(end + 4))
  }
  const done = (bytes: number, lines: number, body: Buffer): void => {
    take = undefined
    finish({ status, bytes, lines, body })
  }
  return (data) => {
    if (take !== undefined) take(data)
    else begin(head === undefined ? data : Buffer.concat([head, data]))
  }
}

type Done = (bytes: number, lines: number, body: Buffer) => void

function ofLength(length: number, keeps: boolean, done: Done): (data: Buffer) => void {
  let seen = 0
  const parts: Buffer[] = []
  return (data) => {
    seen += data.length
    if (seen >= length) return done(length, 0, parts.length === 0 ? data : Buffer.concat([...parts, data]))
    // The socket's buffer is filled again before the rest comes.
    if (keeps) parts.push(Buffer.from(data))
  }
}

const CR = 13
const LF = 10

/** RFC 9112 §7.1, for a server that sends no trailers. */
function ofChunks(done: Done): (data: Buffer) => void {
  let missing = 0
  let bytes = 0
  let lines = 0
  let size = ''
  let last = false
  return (data) => {
    let at = 0
    while (at < data.length) {
      if (missing > 0) {
        const end = Math.min(at + missing, data.length)
        lines += countLines(data, at, end)
        bytes += end - at
        missing -= end - at
        at = end
        continue
      }
      const character = data[at++] ?? 0
      if (character === LF && size !== '') {
        missing = Number.parseInt(size, 16)
        last = missing === 0
        size = ''
      } else if (character === LF && last) return done(bytes, lines, nothing)
      else if (character !== CR && character !== LF) size += String.fromCharCode(character)
    }
  }
}

function countLines(data: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = data.indexOf(LF, from); at !== -1 && at < to; at = data.indexOf(LF, at + 1)) lines++
  return lines
}
