import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import type { DeliveryPace } from '../../../src/events/delivery-pace.ts'
import { type RunningService, startService } from '../../../src/service/start-service.ts'
import { type OwnDatabase, ownDatabase } from '../database/own-database.ts'
import { undocumented } from '../openapi/documented.ts'
import { closedWithTest } from './closed-with-test.ts'
import { type EventSource, openEventSource } from './event-source.ts'
import { letGoWhenClosed } from './let-go.ts'
import { unhurried } from './unhurried.ts'

/** The real service on a free port over a database of its own. */
export interface FeedService extends RunningService {
  readonly database: OwnDatabase
  /** Ends it and starts it again over the same database. */
  restart(): Promise<FeedService>
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Response>
  /** A live stream of whatever happens from now on. */
  follow(query?: string, headers?: Headers): Promise<EventSource>
  /** The places of the events in the feed. */
  sequences(query?: string): Promise<readonly string[]>
  createDeal(name?: string): Promise<string>
  /** Some operation on the deal: a note. */
  addNote(deal: string, text: string): Promise<void>
}

async function mustBeDocumented(method: string, path: string, body: string, response: Response): Promise<void> {
  const isStream = /event-stream/.test(response.headers.get('content-type') ?? '')
  const text = isStream ? '' : await response.clone().text()
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), text }
  const fault = undocumented({ method, path, type: 'application/json', body, answer })
  if (fault !== undefined) throw new Error(`not as documented: ${method} ${path}: ${fault}`)
}

type Environment = { readonly [name: string]: string }
type Headers = { readonly [name: string]: string }

export async function runFeedService(environment: Environment = {}, pace?: DeliveryPace): Promise<FeedService> {
  return runOver(await ownDatabase(), environment, pace)
}

async function runOver(database: OwnDatabase, environment: Environment, pace?: DeliveryPace): Promise<FeedService> {
  const settings = readSettings({ PORT: '0', DATABASE_URL: database.url, ...unhurried, ...environment })
  const onFatal = (cause: Error): void => {
    throw cause
  }
  const logger = pino({ level: 'error' }, pino.destination(2))
  const service = letGoWhenClosed(await startService(settings, logger, onFatal, pace))
  const close = closedWithTest(() => service.close())
  const send: FeedService['send'] = async (method, path, body, headers = {}) => {
    if (method !== 'PUT' && /^\/(events|webhooks)/.test(path)) await database.settled()
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(service.url + path, {
      method,
      redirect: 'manual',
      // One that rested may be closed at the other end when a busy machine comes to use it.
      headers: { connection: 'close', ...type, ...headers },
      ...sent,
    })
    await mustBeDocumented(method, path, sent.body ?? '', response)
    return response
  }
  return {
    ...service,
    database,
    send,
    async follow(query = '', headers = {}) {
      await database.settled()
      return openEventSource(`${service.url}/events${query}`, headers)
    },
    async sequences(query = '') {
      const text = await (await send('GET', `/events.ndjson${query}`)).text()
      return text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { sequence: string }).sequence)
    },
    async createDeal(name = 'Alpha') {
      const response = await send('POST', '/rest/v1/deals/', { name, price: 10 })
      return ((await response.json()) as { id: string }).id
    },
    async addNote(deal, text) {
      const response = await send('POST', `/rest/v1/deals/${deal}/notes`, { text })
      await response.arrayBuffer()
      if (response.status !== 201) throw new Error(`a note was answered with ${response.status}`)
    },
    async restart() {
      await close()
      return runOver(database, environment, pace)
    },
    async close() {
      await close()
      database.remove()
    },
  }
}
