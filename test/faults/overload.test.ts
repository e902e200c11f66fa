import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDeals, storedDeals } from '../support/faults/deal-load.ts'
import { sized } from '../support/faults/scale.ts'
import { send } from '../support/service/send.ts'
import { spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('overload')
after(() => folder.remove())

const CAPACITY = 20
const CLIENTS = sized(100, 300)
const ANSWERS = sized(400, 20_000)
const MOST_MEMORY = 600

test(`${CLIENTS} clients where ${CAPACITY} have room: the others are told to come back, and it passes`, async (t) => {
  const file = join(folder.path, 'dealdesk.db')
  const service = spawnService({ DATABASE_URL: file, MAX_IN_FLIGHT: String(CAPACITY) })
  const url = await service.ready
  let isOver = false
  const watching = watch(url, () => isOver)
  const during = await makeDeals(url, {
    clients: CLIENTS,
    goesOn: ({ acknowledged, refused }) => acknowledged.length + refused < ANSWERS,
  })
  isOver = true
  const { looks, memory } = await watching
  const later = await makeDeals(url, {
    clients: 1,
    goesOn: ({ acknowledged, refused }) => acknowledged.length + refused < 50,
  })
  service.process.kill('SIGTERM')
  const { code } = await service.ended
  t.diagnostic(`${during.acknowledged.length} × 201, ${during.refused} × 503 with Retry-After, nothing else`)
  t.diagnostic(
    `health answered ${looks} times; at most ${memory} MiB; afterwards ${later.acknowledged.length} of 50 made`,
  )
  for (const { wrong, truncated, unanswered } of [during, later]) {
    assert.deepEqual({ wrong, truncated, unanswered }, { wrong: [], truncated: 0, unanswered: 0 })
  }
  assert.ok(during.refused > 0 && during.acknowledged.length > 0)
  assert.equal(later.refused, 0)
  assert.ok(memory < MOST_MEMORY, `${memory} MiB`)
  assert.equal(code, 0)
  assert.deepEqual(storedDeals(file), new Set([...during.acknowledged, ...later.acknowledged]))
})

/** Asks for health and memory all the while. */
async function watch(url: string, isOver: () => boolean): Promise<{ readonly looks: number; readonly memory: number }> {
  let looks = 0
  let memory = 0
  while (!isOver()) {
    assert.equal((await send('GET', `${url}/health/ready`)).status, 200)
    const bytes = /^process_resident_memory_bytes (\S+)$/m.exec((await send('GET', `${url}/metrics`)).text)?.[1]
    memory = Math.max(memory, Math.round(Number(bytes) / 2 ** 20))
    looks++
    await pause(50)
  }
  return { looks, memory }
}
