import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { closedWithTest } from './closed-with-test.ts'

/** A message of an event stream, read by the rules of the HTML standard and by nothing of ours. */
export interface Message {
  readonly lastEventId: string
  /** `message` where it has no name. */
  readonly type: string
  readonly data: string
}

export interface EventSource {
  readonly response: IncomingMessage
  readonly messages: Message[]
  /** The comments, which are signs of life. */
  readonly comments: string[]
  lastEventId: string
  retry: number | undefined
  /** Resolves when so many messages have come. */
  received(count: number): Promise<void>
  readonly ended: Promise<void>
  pause(): void
  resume(): void
  close(): void
}

export const sequencesOf = ({ messages }: EventSource): readonly string[] =>
  messages.map(({ lastEventId }) => lastEventId)

export async function openEventSource(
  url: string,
  headers: { readonly [name: string]: string } = {},
): Promise<EventSource> {
  const asking: ClientRequest = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.on('response', resolve).on('error', reject).end()
  })
  asking.on('error', () => {})
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let text = ''
  let data: string[] = []
  let id = ''
  let type = ''

  const dispatch = (): void => {
    source.lastEventId = id
    if (data.length > 0) source.messages.push({ lastEventId: id, type: type || 'message', data: data.join('\n') })
    data = []
    type = ''
    for (const { count, resolve } of waiting) if (source.messages.length >= count) resolve()
  }
  const takeLine = (line: string): void => {
    if (line === '') return dispatch()
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === '') source.comments.push(value)
    if (name === 'data') data.push(value)
    if (name === 'event') type = value
    if (name === 'id' && !value.includes('\0')) id = value
    if (name === 'retry' && /^\d+$/.test(value)) source.retry = Number(value)
  }
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const lines = text.split(/\r\n|\n|\r/)
    text = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  })
  const source: EventSource = {
    response,
    messages: [],
    comments: [],
    lastEventId: '',
    retry: undefined,
    received: (count) =>
      source.messages.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    ended: new Promise((resolve) => response.on('close', resolve)),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => asking.destroy(),
  }
  closedWithTest(async () => source.close())
  return source
}
