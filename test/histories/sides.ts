import { Agent, request as httpRequest } from 'node:http'
import { pino } from 'pino'
import { addKey } from '../../src/access/as-operator.ts'
import { readSettings } from '../../src/config.ts'
import { type RunningService, startService } from '../../src/service/start-service.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { dropDatabase } from '../support/database/postgres-database.ts'
import { letGoWhenClosed } from '../support/service/let-go.ts'
import { unhurried } from '../support/service/unhurried.ts'
import { changeUser, putUser } from '../support/things/audited.ts'

/** One of the services that are asked the same, over a store of its kind. */
export interface Side {
  readonly store: string
  readonly database: OwnDatabase
  readonly service: RunningService
  ask(request: Asked): Promise<Answer>
  /** Ends the service and starts it again over the same database. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
}

/** Numbers of customers that are found in any text: no other number is like them. */
export const FIRST_NUMBER = 700_000_000

/** Texts for persons where there are users: names in some case, a full name, and what is nobody's. */
export const personTexts = [
  'mila',
  'MILA',
  'Özlem',
  'öZLEM',
  'gone',
  'Mila Sanz',
  'Sanz, Mila',
  'me',
  'nobody',
] as const

/** A service over SQLite and one over PostgreSQL, both empty; with users, whoever asks has a key. */
export const openSides = (hasPeople: boolean): Promise<readonly Side[]> =>
  Promise.all(ownDatabases.map(async ([store, make]) => openSide(store, await make(), hasPeople)))

async function openSide(store: string, database: OwnDatabase, hasPeople: boolean): Promise<Side> {
  await beginNumbers(database)
  let service = await start(database)
  const credential = hasPeople ? await addPeople(service) : {}
  const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: 1000 })
  return {
    store,
    database,
    get service() {
      return service
    },
    ask: (request) =>
      send(agent, new URL(service.url).port, { ...request, headers: { ...credential, ...request.headers } }),
    async restart() {
      await service.close()
      service = await start(database)
    },
    async close() {
      agent.destroy()
      await service.close()
      database.remove()
      // Thousands of histories leave no room for all of theirs.
      if (database.url.startsWith('postgres')) await dropDatabase(database.url)
    },
  }
}

async function addPeople({ store }: RunningService): Promise<{ readonly authorization: string }> {
  for (const name of ['mila', 'Özlem', 'gone']) await putUser(store, { name, role: 'admin', hash: null })
  await changeUser(store, 'mila', { fullName: 'Mila Sanz' })
  await changeUser(store, 'gone', { disabled: true })
  const made = await addKey(store, { name: 'teller', role: 'admin' })
  if ('fault' in made) throw new Error(made.fault.code)
  return { authorization: `Bearer ${made.key}` }
}

async function beginNumbers(database: OwnDatabase): Promise<void> {
  if (database.url.startsWith('postgres')) await database.rows(`SELECT setval('customers_id_seq', ${FIRST_NUMBER})`)
  else await database.insert('sqlite_sequence', [{ name: 'customers', seq: FIRST_NUMBER }])
}

async function start(database: OwnDatabase): Promise<RunningService> {
  const settings = readSettings({ PORT: '0', DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true', ...unhurried })
  const onFatal = (cause: Error): never => {
    throw cause
  }
  return letGoWhenClosed(
    await startService(settings, pino({ level: process.env.LOG_LEVEL ?? 'fatal' }, pino.destination(2)), onFatal),
  )
}

function send(agent: Agent, port: string, asked: Asked): Promise<Answer> {
  const { method, path, headers = {}, body } = asked
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const options = { agent, hostname: '127.0.0.1', port, method, path, headers: { ...length, ...headers } }
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString(isBinary(response.headers['content-type']) ? 'latin1' : 'utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    request.on('error', (cause: NodeJS.ErrnoException) => {
      // A process that stood still finds connections that rested closed, and has not sent anything on them.
      if (request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(cause.code ?? '')) resolve(send(agent, port, asked))
      else reject(cause)
    })
    request.end(body)
  })
}

const isBinary = (type = ''): boolean => /spreadsheetml|zip|octet-stream/.test(type)
