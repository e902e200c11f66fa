import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../src/store/open.ts'
import { checkHistories } from '../support/faults/check-histories.ts'
import { makeDeals, makeOne, storedDeals } from '../support/faults/deal-load.ts'
import { type OnFailingDisk, onFailingDisk } from '../support/faults/on-failing-disk.ts'
import { sized } from '../support/faults/scale.ts'
import { spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('disk')
after(() => folder.remove())

describe('a failed disk never looks like success', { concurrency: 2 }, () => {
  test('a full disk is answered 503, each job of a repeated batch as it was kept, and the service goes on when there is space again', async (t) => {
    const disk = onFailingDisk(t, join(folder.path, 'full'))
    const { file, service, fail } = disk
    const url = await service.ready
    const many = sized(40, 2000)
    const before = await makeDeals(url, { clients: 8, goesOn: ({ acknowledged }) => acknowledged.length < many })
    fail({ pages: 1 })
    const during = await makeDeals(url, { clients: 8, goesOn: ({ refused }) => refused < many })
    assert.equal((await fetch(`${url}/rest/v1/deals/${before.acknowledged[0]}`)).status, 200)
    fail({})
    const later = await makeDeals(url, { clients: 8, goesOn: ({ acknowledged }) => acknowledged.length < many })
    const stored = await repeatedBatch(t, disk, 'full')
    const last = await makeOne(url)
    assert.equal(last.status, 201)
    service.process.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
    t.diagnostic(
      `${before.acknowledged.length} deals; full: ${during.refused} × 503, ${during.acknowledged.length} fitted`,
    )
    t.diagnostic(`space again: ${later.acknowledged.length} deals, ${later.refused} × 503; exit 0`)
    for (const { wrong, truncated, unanswered } of [before, during, later]) {
      assert.deepEqual({ wrong, truncated, unanswered }, { wrong: [], truncated: 0, unanswered: 0 })
    }
    assert.equal(later.refused, 0)
    const acknowledged = [...[before, during, later].flatMap((load) => load.acknowledged), ...stored, last.id]
    assert.deepEqual(storedDeals(file), new Set(acknowledged))
    checkFile(file)
  })

  for (const [n, kilobytes] of sized([700], [600, 700, 1000, 1500, 2000, 3000, 4500]).entries()) {
    test(`no file may grow beyond ${kilobytes} KiB: what was acknowledged is there, and the process ends`, async (t) => {
      const file = join(folder.path, `limit-${n}.db`)
      const service = spawnService({ DATABASE_URL: file }, { largestFile: kilobytes * 1024 })
      const url = await service.ready
      let isOver = false
      void service.ended.then(() => {
        isOver = true
      })
      const load = await makeDeals(url, { clients: 8, goesOn: () => !isOver })
      const { code, stderr } = await service.ended
      t.diagnostic(
        `${load.acknowledged.length} deals, then ${load.refused} × 503 and ${load.unanswered} unanswered; exit ${code}`,
      )
      assert.equal(code, 1)
      assert.match(stderr, /disk I\/O error/)
      assert.deepEqual(load.wrong, [])
      assert.equal(load.truncated, 0)
      assert.ok(load.acknowledged.length > 0 && load.refused > 0)
      await opensAgain(file)
      assert.deepEqual(storedDeals(file), new Set(load.acknowledged))
      checkFile(file)
    })
  }

  test('a disk that breaks while a batch is repeated: each job is answered as it was kept', async (t) => {
    const disk = onFailingDisk(t, join(folder.path, 'repeated'))
    const stored = await repeatedBatch(t, disk, 'broken')
    assert.equal((await disk.service.ended).code, 1)
    assert.deepEqual(storedDeals(disk.file), new Set(stored))
  })
})

/** What was answered as stored of a batch that is repeated while the disk fails. */
async function repeatedBatch(
  t: TestContext,
  { file, service, fail }: OnFailingDisk,
  fault: 'full' | 'broken',
): Promise<readonly string[]> {
  const url = await service.ready
  const lock = new DatabaseSync(file)
  lock.exec('BEGIN IMMEDIATE')
  const waiting: ReturnType<typeof makeOne>[] = []
  let isRefused = false
  const ask = (): void => {
    const asked = makeOne(url)
    waiting.push(asked)
    void asked.then(() => {
      isRefused = true
    })
  }
  ask()
  await inFlight(url, 1, () => isRefused)
  for (let n = 0; n < 8; n++) ask()
  await inFlight(url, 9, () => isRefused)
  if (isRefused) {
    // The service waited in vain, because this process stood still: it is asked anew.
    lock.close()
    const early = (await Promise.all(waiting)).flatMap(({ status, id }) => (status === 201 ? id : []))
    return [...early, ...(await repeatedBatch(t, { file, service, fail }, fault))]
  }
  // The first alone, then the batch: a job fails, and of the jobs one by one the third meets the disk.
  fail({ commits: ['fine', 'defect', 'fine', 'fine', fault] })
  lock.exec('ROLLBACK')
  lock.close()
  const answers = await Promise.all(waiting)
  const stored = answers.filter(({ status }) => status === 201)
  t.diagnostic(`a batch of 8, repeated one by one: ${stored.length - 1} × 201, ${9 - stored.length} × 503`)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 503, 503, 503, 503, 503, 503])
  return stored.map(({ id }) => id)
}

/** Waits until so many requests are worked on, besides the one that asks. */
async function inFlight(url: string, count: number, isOver: () => boolean): Promise<void> {
  const pattern = new RegExp(`^dealdesk_requests_in_flight ${count + 1}$`, 'm')
  while (!isOver() && !pattern.test(await (await fetch(`${url}/metrics`)).text())) await pause(10)
}

async function opensAgain(file: string): Promise<void> {
  const store = await openStore({ databaseUrl: file, currency: 'EUR' }, (cause) => assert.fail(cause))
  await store.close()
}

function checkFile(file: string): void {
  using db = new DatabaseSync(file, { readOnly: true })
  checkHistories(db)
}
