import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'

/** An answer as it came through a proxy; status 0 where the connection broke. */
export interface Through {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

type Content = string | Buffer | undefined
type Headers = Readonly<Record<string, string>>

// The certificate is the test's own.
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 32 })
export const closeConnections = (): void => agent.destroy()

export async function ask(method: string, url: string, content?: Content, headers: Headers = {}): Promise<Through> {
  const length = content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }
  const asking = request(url, { method, agent, headers: { ...length, ...headers } })
  // A body that is refused early is no reason not to read why.
  asking.on('error', () => {})
  asking.end(content)
  try {
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  } catch {
    return { status: 0, headers: {}, text: '' }
  }
}

export const json: Headers = { 'content-type': 'application/json' }

/** A stream in both directions: lines go out when they are sent, and come in when they are there. */
export async function openStream(method: string, url: string, headers: Headers) {
  const asking = request(url, { method, agent: false, rejectUnauthorized: false, headers })
  asking.on('error', () => {})
  asking.flushHeaders()
  // Some proxies tell the head of the answer with its first line.
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>
  const lines = answered.then(([answer]) => createInterface(answer)[Symbol.asyncIterator]())
  return {
    send: (line: string) => asking.write(`${line}\n`),
    end: () => asking.end(),
    line: async (): Promise<string | undefined> => (await (await lines).next()).value,
    status: async () => (await answered)[0].statusCode,
    close: () => asking.destroy(),
  }
}
