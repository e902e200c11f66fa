import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back, read as HTTP by hand: bytes that no client library would send need one that none would read. */
export interface RawAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export async function openSocket(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  return socket
}

/** One answer, whole. Rejects when the connection ends without one, or nothing comes for minutes. */
export function readAnswer(socket: Socket, { head = false } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const settle = (finish: () => void): void => {
      clearTimeout(timer)
      socket.off('data', read).off('error', fail).off('close', closed)
      finish()
    }
    const fail = (cause: Error): void => settle(() => reject(cause))
    const closed = (): void => fail(new Error(`the connection ended after ${JSON.stringify(bytes.toString('latin1'))}`))
    const timer = setTimeout(() => fail(new Error('no answer came')), 300_000)
    const read = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const answer = parse(bytes, head)
      if (answer !== undefined) settle(() => resolve(answer))
    }
    socket.on('data', read).on('error', fail).on('close', closed)
  })
}

/** Nothing while the answer is not whole; one of 100 is passed over. */
function parse(bytes: Buffer, head: boolean): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (status === 100) return parse(bytes.subarray(end + 4), head)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = head || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0)
  const body = bytes.subarray(end + 4, end + 4 + length)
  return body.length < length ? undefined : { status, headers, body: body.toString('utf8') }
}
