import { DatabaseSync } from 'node:sqlite'
import { randomFrom } from '../../src/demo/random.ts'
import { dealAddress, get, type Known, nextOf, type Script, type Workload, workloadNamed } from '../workloads.ts'
import { type Answer, type Connection, openConnection } from './connection.ts'
import { latencyOf } from './latency.ts'
import type { Length, LoadAsked, LoadReply } from './load.ts'

// The process that asks. It shares nothing with the servers but the machine.

let ready: { readonly workload: Workload; readonly connections: readonly Connection[]; readonly scripts: Script[] }

process.on('message', (asked: LoadAsked) => {
  const answer = asked.kind === 'prepare' ? prepare(asked) : run(asked)
  answer.then(tell, (cause: unknown) => tell({ failed: cause instanceof Error ? cause.message : String(cause) }))
})

const tell = (reply: LoadReply): void => {
  process.send?.(reply)
}

/** A lost connection ends the round: its numbers would be worth nothing. */
let broken: (cause: Error) => void = () => {}

async function prepare(asked: Extract<LoadAsked, { kind: 'prepare' }>): Promise<LoadReply> {
  const workload = workloadNamed(asked.workload)
  const count = asked.connections ?? workload.connections
  const keepsBodies = workload.startingPages !== undefined
  const failed = (cause: Error): void => broken(cause)
  // Before the connections are opened: a server closes those on which nothing comes.
  const deals = dealsIn(asked.data)
  const connections = await Promise.all(
    Array.from({ length: count }, () => openConnection(asked.port, keepsBodies, failed)),
  )
  const [first] = connections
  if (first === undefined) throw new Error('a load needs a connection')
  const known = { ...asked, connections: count, random: randomFrom(asked.seed), ...deals }
  // Node accepts one connection in each turn of its loop: all of them must be in before the first counts.
  await Promise.all(connections.map((connection) => askOnce(connection, get(dealAddress(known.live[0])))))
  const starts: string[] = []
  for (const page of workload.startingPages?.(asked) ?? []) {
    const answer = await askOnce(first, get(page))
    const next = nextOf(answer.body)
    if (next === undefined) return refused(workload, answer, connections)
    starts.push(next)
  }
  const scripts = connections.map((_, connection) => workload.script({ ...known, starts }, connection))
  ready = { workload, connections, scripts }
  if (workload.once) return { ready: true }
  const probe = await askOnce(first, scripts[0]?.(undefined) ?? '')
  return isGood(probe) ? { ready: true } : refused(workload, probe, connections)
}

function refused({ name }: Workload, { status }: Answer, connections: readonly Connection[]): LoadReply {
  for (const connection of connections) connection.close()
  return { failed: `${name} was answered with ${status}` }
}

const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300

function askOnce(connection: Connection, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    broken = reject
    connection.ask(request, resolve)
  })
}

let read: { readonly path: string; readonly deals: Pick<Known, 'live' | 'open'> } | undefined

function dealsIn(path: string): Pick<Known, 'live' | 'open'> {
  if (read?.path === path) return read.deals
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db
    .prepare("SELECT doc ->> 'id' AS id, status FROM deals WHERE deleted_at IS NULL ORDER BY deals.id")
    .all()
  db.close()
  const ids = (some: typeof rows): Known['live'] => some.map(({ id }) => String(id)) as unknown as Known['live']
  read = { path, deals: { live: ids(rows), open: ids(rows.filter(({ status }) => status === 'open')) } }
  return read.deals
}

/** Every connection asks again as soon as it was answered, or when all were; what was asked is awaited. */
function run(length: Length): Promise<LoadReply> {
  const { workload, connections, scripts } = ready
  const latencies = { read: [] as number[], write: [] as number[] }
  const statuses: Record<string, number> = {}
  let requests = 0
  let failures = 0
  let bytes = 0
  let lines = 0
  let running = connections.length
  let wavesLeft = 'waves' in length ? length.waves : 0
  const usage = process.cpuUsage()
  const begun = performance.now()
  const end = workload.once || !('seconds' in length) ? begun : begun + length.seconds * 1000

  return new Promise((resolve, reject) => {
    broken = reject
    const finish = (): void => {
      const elapsed = (performance.now() - begun) / 1000
      const { user, system } = process.cpuUsage(usage)
      const received = connections.reduce((sum, connection) => sum + connection.received(), 0)
      for (const connection of connections) connection.close()
      resolve({
        load: {
          requests,
          units: workload.unit === 'row' ? lines : requests,
          seconds: elapsed,
          bytes: bytes / requests,
          received,
          failures,
          statuses,
          all: latencyOf([...latencies.read, ...latencies.write]),
          reads: latencyOf(latencies.read),
          generatorCpu: (user + system) / requests,
        },
      })
    }
    const start = (connection: Connection, script: Script): void => {
      let asked = 0
      let kind: keyof typeof latencies = 'read'
      const ask = (last: Answer | undefined): void => {
        const request = script(last)
        kind = request.startsWith('GET') ? 'read' : 'write'
        asked = performance.now()
        connection.ask(request, answered)
      }
      const answered = (answer: Answer): void => {
        const now = performance.now()
        requests++
        bytes += answer.bytes
        lines += answer.lines
        latencies[kind].push(now - asked)
        if (!isGood(answer)) {
          failures++
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        }
        if (now < end) return ask(answer)
        if (--running === 0) {
          wavesLeft--
          if (wavesLeft > 0) startAll()
          else finish()
        }
      }
      ask(undefined)
    }
    const startAll = (): void => {
      running = connections.length
      for (const [at, connection] of connections.entries()) start(connection, scripts[at] ?? (() => ''))
    }
    startAll()
  })
}
