import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { randomFrom } from '../../src/demo/random.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { type Drawn, drawHostile } from './draw-hostile.ts'
import { type HostileService, startHostile } from './hostile-service.ts'
import { forgetMost, memoryOf, mostMemoryOf } from './memory.ts'
import { known } from './multipliers/files.ts'
import type { Known } from './multipliers/multiplier.ts'
import { multipliers } from './multipliers/multipliers.ts'
import { sendHostile } from './send-hostile.ts'
import { type Watcher, watch } from './watcher.ts'

// Files and bodies that multiply, at the bounds of src/values/bounds.ts and beyond them. HOSTILE_SEED sends the same
// again; `npm run test:long -- hostile-files` sends 2,000 and asserts how long others wait and what memory is taken.

const SEED = seedOf('HOSTILE_SEED')
const FILES = Number(process.env.HOSTILE_FILES ?? 60)
const isMeasured = process.env.HOSTILE_FILES !== undefined
const only = process.env.HOSTILE_ONLY

/** Milliseconds that others may wait, MiB that may be taken, and seconds until each is refused or done. */
const [WAIT, MEMORY, SECONDS] = [250, 200, 30]

let service: HostileService
/** Nobody asks anything of it: what is waited for it is waited for the machine. */
let idle: HostileService | undefined
let watcher: Watcher

before(async () => {
  service = await startHostile()
  if (isMeasured) idle = await startHostile()
  watcher = watch(idle === undefined ? [service.url] : [service.url, idle.url])
})
after(() => watcher.stop())
after(() => idle?.stop())
after(() => service.stop())

interface Measured {
  readonly name: string
  readonly status: number
  readonly ms: number
  /** Others waited so long, and so long for the idle service. */
  readonly gap: number
  readonly idleGap: number
  readonly memory: number
  readonly grown: number
}

test(`${FILES} hostile files and bodies are refused or done, and leave nothing behind`, async (t) => {
  t.diagnostic(`HOSTILE_SEED=${SEED}`)
  const random = randomFrom(SEED)
  const chosen = multipliers.filter(({ name }) => only === undefined || new RegExp(only).test(name))
  const first = random(chosen.length)
  if (isMeasured) for (const each of plain(service.known)) await sendOnce(each)
  const start = memoryOf(service.pid)
  const all: Measured[] = []
  for (let n = 0; n < FILES; n++) {
    // One after the other, so that few take something of everything.
    const multiplier = known[n] ?? chosen[(first + n * STEP) % chosen.length]
    if (multiplier === undefined) continue
    const drawn = drawHostile(multiplier, service.known, random)
    all.push(await send(n < known.length ? { ...drawn, role: 'editor' } : drawn))
  }
  report(all, start, t.diagnostic.bind(t))
})

/** What is first used is read and compiled then, once: each reader gets something plain before it is measured. */
const plain = (of: Known): readonly Drawn[] =>
  multipliers.map((each) => {
    const hostile = each.of(1, of, () => 0)
    return { name: `${each.name} × 1`, role: 'editor', framing: 'announced', hostile }
  })

/** No divisor of the number of multipliers has it in common with others. */
const STEP = 37

async function send(drawn: Drawn): Promise<Measured> {
  let least = await sendOnce(drawn)
  // A busy machine lets others wait, too; what a request does to them it does each time.
  for (let n = 0; isMeasured && n < 3 && least.gap > WAIT / 2; n++) {
    const again = await sendOnce(drawn)
    if (again.gap < least.gap) least = again
  }
  return least
}

async function sendOnce({ name, role, framing, hostile }: Drawn): Promise<Measured> {
  const [holds, size] = [service.holds(), service.size()]
  await watcher.lap()
  forgetMost(service.pid)
  const started = performance.now()
  const { status, text } = await sendHostile(hostile, { url: service.url, key: service.keys[role] }, framing)
  const ms = performance.now() - started
  const [gap = 0, idleGap = 0] = await watcher.lap()
  const [memory, grown] = [mostMemoryOf(service.pid), service.size() - size]
  const about = `${status} of ${name}, ${role}, ${hostile.method} ${hostile.path.slice(0, 100)}`
  if (process.env.HOSTILE_TOLD !== undefined) {
    const figures = `${ms.toFixed()} ms, ${gap.toFixed()} (${idleGap.toFixed()}) ms, ${memory} MiB, ${grown} bytes`
    process.stderr.write(`${about}: ${figures}: ${JSON.stringify(text.slice(0, 150))}\n`)
  }
  assert.ok(status >= 200 && status < 500, `HOSTILE_SEED=${SEED}: ${about}: ${text.slice(0, 1000)}`)
  if (status >= 400 || role === 'reader' || isRefused(text)) {
    assert.equal(service.holds(), holds, `HOSTILE_SEED=${SEED}: ${about} left something behind: ${text.slice(0, 1000)}`)
  }
  return { name: about, status, ms, gap, idleGap, memory, grown }
}

/** An answer of 200 may refuse, too. */
const isRefused = (text: string): boolean =>
  text.startsWith('{"jsonrpc":"2.0","error"') || /^\{"errors":\[/.test(text) || /"stage":"(?:failed|ready)"/.test(text)

function report(all: readonly Measured[], start: number, tell: (line: string) => void): void {
  const statuses = Object.entries(Object.groupBy(all, ({ status }) => String(status)))
  tell(`answers: ${statuses.map(([status, each = []]) => `${status} × ${each.length}`).join(', ')}`)
  const worst = (by: (each: Measured) => number): readonly Measured[] =>
    all.toSorted((a, b) => by(b) - by(a)).slice(0, 12)
  const told = ({ name, status }: Measured, value: string): string => `  ${value} ${status} ${name}`
  tell(`others waited at most, and meanwhile for a service that has nothing to do:`)
  for (const each of worst(({ gap }) => gap))
    tell(told(each, `${Math.round(each.gap)} ms (${Math.round(each.idleGap)} ms)`))
  tell(`memory was ${start} MiB before, and at most:`)
  for (const each of worst(({ memory }) => memory)) tell(told(each, `${each.memory} MiB`))
  tell('the slowest:')
  for (const each of worst(({ ms }) => ms)) tell(told(each, `${Math.round(each.ms)} ms`))
  tell('the database grew most by:')
  for (const each of worst(({ grown }) => grown)) tell(told(each, `${Math.round(each.grown / 1000)} kB`))
  if (!isMeasured) return
  const [memory = 0, gap = 0, ms = 0] = [
    worst((each) => each.memory)[0]?.memory,
    worst((each) => each.gap)[0]?.gap,
    worst((each) => each.ms)[0]?.ms,
  ]
  assert.ok(ms <= SECONDS * 1000, `one took ${ms} ms`)
  assert.ok(gap <= WAIT, `others waited ${gap} ms`)
  assert.ok(memory - start <= MEMORY, `${memory - start} MiB more`)
}
