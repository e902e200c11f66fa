import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { closedWithTest } from '../service/closed-with-test.ts'

/** What came in at a receiver. */
export interface Received {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: {
    readonly sequence: string
    readonly type: string
    readonly subject: string
    readonly data: { readonly revision: number; readonly params: { readonly text?: string } }
  }
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Connections that were ever made. */
  connections: number
  /** How it answers from now on. */
  answer: (response: ServerResponse, received: Received) => void
  /** Rejects after so many milliseconds. */
  until(isEnough: (received: readonly Received[]) => boolean, longest?: number): Promise<void>
  close(): Promise<void>
}

export const ok = (response: ServerResponse): void => void response.end('thanks')
export const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(`status ${status}`)

export async function runReceiver(port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const event = body === '' ? {} : JSON.parse(body)
      const received: Received = { at: Date.now(), headers: request.headers, body, event }
      receiver.received.push(received)
      receiver.answer(response, received)
    })
  })
  server.on('connection', (socket) => {
    receiver.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    connections: 0,
    answer: ok,
    async until(isEnough, longest = 300_000) {
      const started = Date.now()
      while (!isEnough(receiver.received)) {
        if (Date.now() - started > longest) throw new Error(`only ${receiver.received.length} came`)
        await wait(5)
      }
    },
    close: closedWithTest(
      () =>
        new Promise<void>((resolve) => {
          for (const socket of sockets) socket.destroy()
          server.close(() => resolve())
        }),
    ),
  }
  return receiver
}
