import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { oneOf } from '../support/faults/scale.ts'
import { type ServiceProcess, spawnService } from '../support/service/service-process.ts'

// Two processes on one database change its model and write by it, and are killed meanwhile.
// `npm run test:long -- model-changes` is this with 300 kills, on both stores; MODEL_KILLS says how many.

const KILLS = Number(process.env.MODEL_KILLS ?? 2)
const CLIENTS = 4
/** On each resource: fewer than there may be. */
const NAMES = 60
const resources = ['deal', 'customer', 'task']

interface FieldChange {
  readonly id: string
  readonly revision: number
}

interface Load {
  readonly acknowledged: FieldChange[]
  refused: number
  deals: number
  unanswered: number
  /** The names that were tried so far; each is tried by both processes. */
  tried: number
  readonly known: string[]
}

for (const [engine, ownDatabase] of oneOf('MODEL_STORE', ownDatabases)) {
  test(`after ${KILLS} kills during changes of the model it is whole, on ${engine}`, async (t) => {
    const database = await ownDatabase()
    t.after(() => database.remove())
    const load: Load = { acknowledged: [], refused: 0, deals: 0, unanswered: 0, tried: 0, known: [] }
    const start = () => spawnService({ DATABASE_URL: database.url })
    const processes = [start(), start()]
    const state = { isOver: false }
    const clients = processes.flatMap((_, nth) =>
      Array.from({ length: CLIENTS }, () => work(() => processes[nth] as ServiceProcess, load, state)),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      await Promise.all(processes.map(({ ready }) => ready))
      const before = load.acknowledged.length
      while (load.acknowledged.length < before + 5) await pause(10)
      const killed = processes[kill % 2] as ServiceProcess
      killed.process.kill('SIGKILL')
      await killed.ended
      processes[kill % 2] = start()
    }
    await Promise.all(processes.map(({ ready }) => ready))
    state.isOver = true
    await Promise.all(clients)
    for (const each of processes) each.process.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    t.diagnostic(
      `${KILLS} kills; ${load.acknowledged.length} changes of the model acknowledged, ${load.refused} refused, ` +
        `${load.deals} deals made, ${load.unanswered} requests left unanswered`,
    )
    await check(database, load)
  })
}

/** One client of a process: it adds fields that the others add too, changes, retires and restores them, and makes deals. */
async function work(service: () => ServiceProcess, load: Load, state: { readonly isOver: boolean }): Promise<void> {
  for (let turn = 0; !state.isOver; turn++) {
    const asked = nextRequest(turn, load)
    const url = await service().ready.catch(() => undefined)
    const answer =
      url === undefined
        ? undefined
        : await fetch(url + asked.path, {
            method: asked.method,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(asked.body),
          })
            .then(async (sent) => ({ status: sent.status, body: (await sent.json()) as FieldChange }))
            .catch(() => undefined)
    if (answer === undefined) {
      load.unanswered++
      await pause(10)
      continue
    }
    assert.ok(answer.status < 500 || answer.status === 503, JSON.stringify(answer.body))
    if (answer.status >= 300) load.refused++
    else if (asked.path.startsWith('/fields')) {
      load.acknowledged.push({ id: answer.body.id, revision: answer.body.revision })
      if (asked.path === '/fields') load.known.push(answer.body.id)
    } else load.deals++
  }
}

function nextRequest(turn: number, load: Load) {
  if (turn % 3 === 0) return { method: 'POST', path: '/rest/v1/deals', body: { name: `Deal ${turn}`, price: 1 } }
  const id = load.known.at((turn * 7) % Math.max(1, load.known.length))
  if (turn % 3 === 1 || id === undefined) {
    // Two in a row are the same name, in another case.
    const nth = Math.floor(load.tried++ / 2) % NAMES
    const name = load.tried % 2 === 0 ? `field${nth}` : `fiELD${nth}`
    return { method: 'POST', path: '/fields', body: { on: resources[nth % 3], name, title: 'F', kind: 'date' } }
  }
  const [retire, restore, change] = ['retire', 'restore', ''].map((word) => `/fields/${id}${word && `/${word}`}`)
  if (turn % 2 === 0) return { method: 'PATCH', path: change ?? '', body: { title: `Changed ${turn}` } }
  return { method: 'PUT', path: (turn % 4 === 1 ? retire : restore) ?? '', body: {} }
}

interface FieldDocument {
  readonly id: string
  readonly on: string
  readonly name: string
  readonly retiredAt: string | null
}

/** Every event follows from the model that the events before it have left: none was decided by an older one. */
async function check(database: OwnDatabase, { acknowledged }: Load): Promise<void> {
  const events = await database.rows(
    `SELECT subject, revision, type, doc FROM events WHERE resource = 'field' ORDER BY sequence`,
  )
  const model = new Map<string, FieldDocument>()
  const known = new Set<string>()
  for (const { subject, revision, type, doc } of events) {
    const field = JSON.parse(String(doc)) as FieldDocument
    const before = model.get(String(subject))
    const keyOf = ({ on, name }: FieldDocument): string => `${on}.${name.toLowerCase()}`
    if (type === 'field.created') {
      assert.ok(![...model.values()].some((each) => keyOf(each) === keyOf(field)), `${field.name} was made twice`)
    } else assert.equal(before?.retiredAt === null, type !== 'field.restored', `${type} of ${field.name}`)
    model.set(String(subject), field)
    known.add(`${subject} ${revision}`)
  }
  for (const { id, revision } of acknowledged) assert.ok(known.has(`${id} ${revision}`), `${id} ${revision} is lost`)
  const rows = await database.rows('SELECT id, doc FROM fields ORDER BY id')
  assert.deepEqual(
    rows.map(({ doc }) => JSON.parse(String(doc))),
    [...model.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  const [stored] = await database.rows('SELECT version FROM model')
  assert.equal(Number(stored?.version), events.length, 'each change has its version')
}
