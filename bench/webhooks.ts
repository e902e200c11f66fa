import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { readSettings } from '../src/config.ts'
import type { Key } from '../src/model/declaration/resource.ts'
import { startService } from '../src/service/start-service.ts'
import { performAlone, type Store } from '../src/store/port/store.ts'

// Ten thousand events to ten receivers, one of which never answers: how long it takes, and how much memory.

const EVENTS = Number(process.argv[2] ?? 10_000)
const RECEIVERS = 10
const DEALS = 200

if (process.argv[2] === 'receivers') await runReceivers()
else await measure()

/** In a process of their own, so that what is measured is the service. */
async function runReceivers(): Promise<void> {
  const counts = Array.from({ length: RECEIVERS }, () => 0)
  const urls: string[] = []
  for (let at = 0; at < RECEIVERS; at++) {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        counts[at] = (counts[at] ?? 0) + 1
        if (at > 0) response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }
  process.send?.({ urls })
  process.on('message', () => process.send?.({ counts }))
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
  const receivers = fork(import.meta.filename, ['receivers'])
  const ask = <T>(): Promise<T> => new Promise((resolve) => receivers.once('message', (answer) => resolve(answer as T)))
  const { urls } = await ask<{ urls: string[] }>()
  const settings = readSettings({
    PORT: '0',
    DATABASE_URL: join(folder, 'dealdesk.db'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const service = await startService(settings, pino({ level: 'error' }), (cause) => {
    throw cause
  })
  for (const url of urls) {
    const headers = { 'content-type': 'application/json' }
    await fetch(`${service.url}/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url }) })
  }
  let largest = 0
  const watching = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss)
  }, 50)
  const before = process.memoryUsage().rss
  const started = performance.now()
  const cpu = process.cpuUsage()
  await writeEvents(service.store)
  const written = performance.now()
  for (;;) {
    receivers.send('counts')
    const { counts } = await ask<{ counts: number[] }>()
    if (counts.slice(1).every((count) => count >= EVENTS)) {
      report(written - started, performance.now() - started, process.cpuUsage(cpu), before, largest, counts)
      break
    }
    await wait(100)
  }
  clearInterval(watching)
  receivers.kill()
  await service.close()
  rmSync(folder, { recursive: true })
}

async function writeEvents(store: Store): Promise<void> {
  const operate = async (target: Key | undefined, action: string, params: unknown): Promise<Key> => {
    const outcome = await performAlone(store, {
      resource: 'deal',
      ...(target !== undefined && { target }),
      change: { action, params },
      pointers: { target: '', action: '', params: '' },
      faults: [],
      guard: { required: false },
      actor: null,
      form: 'verb',
      dryRun: false,
    })
    if (outcome.kind === 'refused') throw new Error(outcome.refusal.code)
    return outcome.thing.id
  }
  const deals = await Promise.all(
    Array.from({ length: DEALS }, (_, n) => operate(undefined, 'create', { name: `deal ${n}`, price: 100 })),
  )
  for (let n = DEALS; n < EVENTS; n += DEALS) {
    await Promise.all(deals.slice(0, EVENTS - n).map((deal) => operate(deal, 'add-note', { text: `note ${n}` })))
  }
}

function report(
  writing: number,
  whole: number,
  { user, system }: NodeJS.CpuUsage,
  before: number,
  largest: number,
  counts: readonly number[],
): void {
  const delivered = counts.slice(1).reduce((sum, count) => sum + count, 0)
  const lines = [
    `events                 ${EVENTS} in ${(writing / 1000).toFixed(1)} s`,
    `deliveries             ${delivered} to ${RECEIVERS - 1} receivers in ${(whole / 1000).toFixed(1)} s, ${Math.round(delivered / (whole / 1000))}/s`,
    `tries at the dead one  ${counts[0]}`,
    `CPU of the service     ${((user + system) / delivered).toFixed(0)} µs a delivery`,
    `memory                 ${Math.round(before / 1e6)} MB before, ${Math.round(largest / 1e6)} MB at most`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
