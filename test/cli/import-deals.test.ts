import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { drawn } from '../support/inputs/drawn.ts'
import { type Desk, lines, openDesk } from '../support/service/running-command.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const header = 'reference;name;price;customerId;stage;status;completedOn;closingReason;paid;held;holdReason'
const rows = [
  'A-1;Ten lamps;100.5;1;lead;;;;;;',
  'A/2;"Chairs; red";2000;;proposal;completed;2026-10-01;;500;;',
  'A.csv;Tables;3000;;contract;cancelled;;withdrew;;;',
  'Ä 4;Sofas;4000;;contract;;;;;true;credit check',
]

for (const [name, make] of drawn(ownDatabases, 0)) {
  suite(`import deals beside a service on ${name}`, () => {
    let database: OwnDatabase
    let service: TestService
    let desk: Desk
    before(async () => {
      database = await make()
      service = await runService({ DATABASE_URL: database.url })
      desk = openDesk({ DATABASE_URL: database.url })
      assert.equal((await service.request('POST', '/customers', { body: { name: 'Ana' } })).status, 201)
    })
    after(async () => {
      await desk[Symbol.asyncDispose]()
      await service.close()
      database.remove()
    })

    const importing = async (file: string, ...options: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await desk.run(['import', 'deals', file, '--delimiter', ';', ...options])
      assert.equal(code, 0, stderr)
      return stdout.replace(/ in [\s\S]*/, '')
    }
    const of = async (reference: string): Promise<Record<string, unknown>> => {
      const { body } = await service.request('GET', `/rest/v1/deals?reference=${encodeURIComponent(reference)}`)
      const [found = {}, ...others] = body.items as readonly Record<string, unknown>[]
      assert.deepEqual([found.reference, others], [reference, []])
      return found
    }
    const operationsOn = async (id: unknown): Promise<readonly unknown[]> => {
      const { body } = await service.request('GET', `/rest/v1/deals/${id}/history`)
      return (body.items as readonly Record<string, unknown>[]).map(({ operation, form }) => `${operation} by ${form}`)
    }
    const count = async (): Promise<number> => Number((await database.rows('SELECT count(*) AS n FROM deals'))[0]?.n)

    test('goes through the operations, twice changes nothing, and a changed row changes its deal', async () => {
      const file = desk.write('d.csv', lines(header, ...rows))
      assert.match(await importing(file, '--dry-run'), /inserted 4, updated 0, unchanged 0, rejected 0$/)
      assert.equal(await count(), 0)
      assert.equal(await importing(file), 'inserted 4, updated 0, unchanged 0, rejected 0')
      const chairs = await of('A/2')
      assert.deepEqual(
        [chairs.name, chairs.status, chairs.completedOn, chairs.paid],
        ['Chairs; red', 'completed', '2026-10-01', 500],
      )
      assert.deepEqual(await operationsOn(chairs.id), [
        'create by import',
        'record-payment by import',
        'complete by import',
      ])
      assert.deepEqual(await operationsOn((await of('Ä 4')).id), ['create by import', 'hold by import'])
      assert.equal((await of('A.csv')).closingReason, 'withdrew')
      assert.equal((await of('A-1')).customerId, 1)

      assert.equal(await importing(file), 'inserted 0, updated 0, unchanged 4, rejected 0')
      const changed = desk.write('e.csv', lines('reference;price;stage;paid', 'A-1;120;proposal;', 'A/2;2000;;800'))
      assert.match(await importing(changed, '--dry-run'), /inserted 0, updated 2/)
      assert.equal(await importing(changed), 'inserted 0, updated 2, unchanged 0, rejected 0')
      const [lamps, paid] = [await of('A-1'), (await of('A/2')).paid]
      assert.deepEqual([lamps.price, lamps.stage, lamps.name, paid], [120, 'proposal', 'Ten lamps', 800])
      assert.equal(await count(), 4)
    })

    test('takes an export by id, in both formats, and finds nothing to change', async () => {
      for (const format of ['csv', 'ndjson']) {
        const file = desk.path(`out.${format}`)
        assert.equal((await desk.run(['export', 'deals', file])).code, 0)
        const { code, stdout } = await desk.run(['import', 'deals', file])
        assert.equal(code, 0)
        assert.match(stdout, /^inserted 0, updated 0, unchanged 4, rejected 0 /)
      }
    })

    test('rejects a row that cannot be done with its line and reason, and keeps nothing of it', async () => {
      const held = (await of('Ä 4')).id
      const wrong: readonly (readonly [row: object | string, reason: RegExp])[] = [
        [{ name: 'No reference', price: 1 }, /^needs one of id, reference$/],
        [{ reference: 'w1', price: 1 }, /^name is required$/],
        [{ reference: 'w2', name: 'x', price: -1 }, /^price must be/],
        [
          { reference: 'w3', name: 'x', price: 1, customerId: 99 },
          /^customerId names customer 99, which does not exist$/,
        ],
        [{ reference: 'w4', name: 'x', price: 1, colour: 'red' }, /^colour is not known here/],
        [
          { reference: 'w5', name: 'x', price: 1, status: 'cancelled' },
          /^closingReason is needed, since the deal is lost$/,
        ],
        [
          { reference: 'w6', name: 'x', price: 1, status: 'completed', held: true, holdReason: 'y' },
          /but the deal is on hold$/,
        ],
        [{ id: held, reference: 'A-1' }, /^reference is that of the deal [0-9a-f-]{36}$/],
        [{ reference: 'ß'.repeat(101), name: 'x', price: 1 }, /^reference .*100/],
        [{ id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', price: 1 }, /^id names deal 01936f2e.*, which does not exist$/],
        [{ id: held, price: 1 }, /change-price.*the deal is on hold$/],
        ['{"reference":', /^is not JSON$/],
      ]
      const texts = wrong.map(([row]) => (typeof row === 'string' ? row : JSON.stringify(row)))
      const file = desk.write('w.ndjson', lines(...texts, '{"reference":"good","name":"Good","price":1}'))
      const { code, stdout } = await desk.run(['import', 'deals', file])
      assert.equal(code, 1)
      assert.match(stdout, new RegExp(`^inserted 1, updated 0, unchanged 0, rejected ${wrong.length} `))
      const rejected = readFileSync(`${file}.rejected.ndjson`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly line: number; readonly reason: string; readonly row: string })
      for (const [at, [, reason]] of wrong.entries()) {
        const found = rejected.find(({ line }) => line === at + 1)
        assert.match(found?.reason ?? '', reason)
        assert.equal(found?.row, texts[at])
      }
      assert.equal(await count(), 5)
      const corrected = desk.write('v.csv', lines('reference;name;price;status', 'w6;x;1;completed'))
      assert.equal(await importing(corrected), 'inserted 1, updated 0, unchanged 0, rejected 0')
    })

    test('takes a deal out of the archive before it reopens it', async () => {
      const made = 'reference;name;price;status;completedOn;archived'
      await importing(desk.write('made.csv', lines(made, 'again;Again;1;completed;2026-10-01;true')))
      assert.equal(
        await importing(desk.write('reopened.csv', lines('reference;status;archived', 'again;open;false'))),
        'inserted 0, updated 1, unchanged 0, rejected 0',
      )
      const steps = await operationsOn((await of('again')).id)
      assert.deepEqual(steps.slice(-2), ['unarchive by import', 'reopen by import'])
    })

    test('takes tasks in the same way', async () => {
      const file = desk.write('t.csv', lines('reference;title;customerId;status', 'T-1;Call Ana;1;done', 'T-2;Write;;'))
      const run = async () => (await desk.run(['import', 'tasks', file, '--delimiter', ';'])).stdout
      assert.match(await run(), /^inserted 2, updated 0, unchanged 0, rejected 0 /)
      assert.match(await run(), /^inserted 0, updated 0, unchanged 2, rejected 0 /)
      const made = await database.rows('SELECT title, status FROM tasks ORDER BY title')
      assert.deepEqual(
        made.map(({ title, status }) => [title, status]),
        [
          ['Call Ana', 'done'],
          ['Write', 'open'],
        ],
      )
    })

    test('--strict keeps nothing of the batch with the first wrong row', async () => {
      const file = desk.write('s.csv', lines('reference,name,price,customerId', 's1,x,1,', 's2,x,1,99', 's3,x,1,'))
      const before = await count()
      const { code, stderr } = await desk.run(['import', 'deals', file, '--strict'])
      assert.equal(code, 1)
      assert.match(stderr, /dealdesk: stopped at line 3: customerId names customer 99/)
      assert.equal(await count(), before)
    })

    test('killed on its way and run again, it has made every deal once, while the service went on', async () => {
      const before = await count()
      const made = 1100
      const names = Array.from({ length: made }, (_, at) => `k${at},Deal ${at},${at},completed`)
      const file = desk.write('k.csv', lines('reference,name,price,status', ...names))
      const started = desk.start(['import', 'deals', file])
      while ((await count()) === before) {
        assert.equal(started.process.exitCode, null, 'it ended before it was killed')
        await pause(5)
      }
      started.process.kill('SIGKILL')
      await started.ended
      const again = desk.run(['import', 'deals', file])
      const beside = await service.request('POST', '/rest/v1/deals', { body: { name: 'Beside', price: 1 } })
      assert.equal(beside.status, 201)
      const [, inserted = '', unchanged = ''] =
        /^inserted ([\d,]+), updated 0, unchanged ([\d,]+), rejected 0 /.exec((await again).stdout) ?? []
      assert.notEqual(unchanged, '0')
      assert.equal(Number(inserted.replace(',', '')) + Number(unchanged.replace(',', '')), made)
      assert.equal(await count(), before + made + 1)
      const [events] = await database.rows(
        `SELECT count(*) AS n, count(DISTINCT subject) AS deals FROM events
         WHERE subject IN (SELECT id FROM deals WHERE reference LIKE 'k%')`,
      )
      assert.deepEqual([Number(events?.n), Number(events?.deals)], [2 * made, made])
    })
  })
}
