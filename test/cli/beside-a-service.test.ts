import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test as anyTest, suite } from 'node:test'
import { ownSqlite } from '../support/database/own-database.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { type Desk, lines, openDesk, openReadyDesk, type Started } from '../support/service/running-command.ts'
import { runService } from '../support/service/running-service.ts'

async function post(url: string, body: object): Promise<string | number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 201, await response.clone().text())
  const { id } = (await response.json()) as { readonly id: string | number }
  return id
}

/** Writes without pause until it is told to stop; every id in it was acknowledged. */
function writing(url: string): { readonly ids: (string | number)[]; stop(): Promise<void> } {
  const ids: (string | number)[] = []
  let going = true
  const done = (async () => {
    while (going) ids.push(await post(`${url}/rest/v1/deals`, { name: `Deal ${ids.length}`, price: 10 }))
  })()
  return {
    ids,
    async stop() {
      going = false
      await done
    },
  }
}

function customerRows(count: number): string {
  let rows = 'id,name,age\n'
  for (let id = 1; id <= count; id++) rows += `${id},Name ${(id * 7919) % count},${(id - 1) % 90}\n`
  return rows
}

/** Rows of a batch on the command line. */
const BATCH = 5000

suite('beside a running service', () => {
  const test = everySecond(anyTest)

  test('an import works, and the service goes on writing', async () => {
    const { url, database } = await runService()
    await using desk = openDesk({ DATABASE_URL: database.url })
    const indexes = indexesOf(desk)
    const writes = writing(url)
    const { code, stdout } = await desk.runAlone(['import', 'customers', desk.write('c.csv', customerRows(12 * BATCH))])
    await writes.stop()
    assert.equal(code, 0)
    assert.match(stdout, /^inserted 60,000, updated 0, unchanged 0, rejected 0 /)
    // They took turns: no write had to wait for the end of the import.
    const between =
      desk.rows(`SELECT count(*) AS n FROM deals WHERE created_at > (SELECT min(created_at) FROM customers)
      AND created_at < (SELECT max(created_at) FROM customers)`)
    assert.ok(Number(between[0]?.n) > 0, `none of ${writes.ids.length} writes`)
    const page = (await (await fetch(`${url}/customers?age=5&count=exact`)).json()) as { readonly total: number }
    assert.equal(page.total, 667)
    assert.deepEqual(indexesOf(desk), indexes)
    assert.equal(desk.rows('PRAGMA integrity_check')[0]?.integrity_check, 'ok')
  })

  test('a backup taken during constant writes is whole, holds what was acknowledged before, and can be served', async () => {
    const service = await runService()
    await using desk = openDesk({ DATABASE_URL: service.database.url })
    const writes = writing(service.url)
    while (writes.ids.length < 30) await new Promise((resolve) => setTimeout(resolve, 10))
    const before = [...writes.ids]
    const copy = desk.path('copy.db')
    const { code, stdout } = await desk.run(['backup', copy])
    await writes.stop()
    assert.equal(code, 0)
    assert.match(stdout, /copy\.db contains the whole database, [\d,]+ bytes\n$/)
    assert.ok(!existsSync(`${copy}.partial`))

    const db = new DatabaseSync(copy, { readOnly: true })
    assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
    const kept = new Set(
      db
        .prepare('SELECT id FROM deals')
        .all()
        .map(({ id }) => id),
    )
    assert.deepEqual(
      before.filter((id) => !kept.has(id)),
      [],
    )
    const torn = 'SELECT count(*) AS n FROM deals d LEFT JOIN events e ON e.subject = d.id WHERE e.sequence IS NULL'
    assert.equal(db.prepare(torn).get()?.n, 0)
    db.close()

    const refused = await desk.run(['backup', copy])
    assert.deepEqual([refused.code, refused.stderr], [1, `dealdesk: ${copy} exists; --force replaces it\n`])
    assert.equal((await desk.run(['backup', copy, '--force'])).code, 0)
    const itself = await desk.run(['backup', desk.database, '--force'])
    assert.match(itself.stderr, /is the database itself\n$/)

    // The restore that docs/operating.md tells.
    const database = ownSqlite()
    copyFileSync(copy, database.url)
    const restored = await runService({ DATABASE_URL: database.url })
    for (const id of [before[0], writes.ids.at(-1)]) {
      assert.equal((await fetch(`${restored.url}/rest/v1/deals/${id}`)).status, 200)
    }
    await post(`${restored.url}/rest/v1/deals`, { name: 'After the restore', price: 1 })
    await restored.close()
    database.remove()
  })

  test('a purge removes deals deleted over thirty days ago with everything of theirs, and nothing else', async () => {
    const { url, database } = await runService()
    await using desk = openDesk({ DATABASE_URL: database.url })
    const ids: string[] = []
    for (const name of ['old', 'older', 'recent', 'alive']) {
      ids.push(String(await post(`${url}/rest/v1/deals`, { name, price: 1 })))
    }
    for (const [index, id] of ids.slice(0, 3).entries()) {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'PUT', headers, body: JSON.stringify({ action: 'DeleteDeal' }) }
      assert.equal((await fetch(`${url}/rest/v1/deals/${id}/commands/c${index}`, sent)).status, 201)
    }
    const customer = await post(`${url}/customers`, { name: 'Ana' })
    assert.equal((await fetch(`${url}/customers/${customer}`, { method: 'DELETE' })).status, 204)
    const day = 86_200_000
    const aged = new DatabaseSync(desk.database)
    const age = aged.prepare('UPDATE deals SET deleted_at = ? WHERE id = ?')
    for (const [index, days] of [31, 300, 29].entries()) {
      age.run(new Date(Date.now() - days * day).toISOString(), ids[index] ?? '')
    }
    aged.prepare(`UPDATE events SET at = '2026-01-01T00:00:00.000Z' WHERE resource = 'customer'`).run()
    aged.close()

    const dry = await desk.run(['purge', '--dry-run'])
    assert.deepEqual([dry.code, dry.stdout], [0, lines(...ids.slice(0, 2).toSorted(), String(customer))])
    assert.match(dry.stderr, /^would purge 2 deals and 1 customer deleted before 20/)
    assert.equal(desk.rows('SELECT id FROM deals').length, 4)

    const purged = await desk.run(['purge'])
    assert.equal(purged.code, 0)
    assert.match(purged.stdout, /^purged 2 deals and 1 customer deleted before 20.*Z\n$/)
    const left = (table: string, column: string) =>
      new Set(desk.rows(`SELECT ${column} AS id FROM ${table}`).map(({ id }) => id))
    assert.deepEqual(left('deals', 'id'), new Set(ids.slice(2)))
    assert.deepEqual(left('events', 'subject'), new Set([...ids.slice(2), String(customer)]))
    const types = desk.rows(`SELECT type FROM events WHERE resource = 'customer'`).map(({ type }) => type)
    assert.deepEqual(types, ['customer.deleted'])
    assert.deepEqual(left('commands', 'subject'), new Set([ids[2]]))
    assert.equal((await fetch(`${url}/rest/v1/deals/${ids[0]}`)).status, 404)
    assert.match((await desk.run(['purge'])).stdout, /^purged 0 deals /)
  })
})

/** An import whose input does not end, with a batch in, beside the customer who was there before. */
async function underWay(desk: Desk): Promise<Started> {
  const importing = desk.start(['import', 'customers', '-', '--format', 'csv'])
  importing.process.stdin?.on('error', () => {})
  importing.process.stdin?.write(customerRows(4 * BATCH))
  while (countOf(desk) <= 1) {
    assert.equal(importing.process.exitCode, null, 'it ended before it was interrupted')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return importing
}

suite('an interrupted import', { concurrency: 2 }, () => {
  const test = everySecond(anyTest)

  test('leaves whole batches, says how many, and can be run again', async () => {
    await using desk = openReadyDesk()
    await desk.runAlone(['import', 'customers', '-', '--format', 'csv'], 'name\nfirst\n')
    const indexes = indexesOf(desk)
    const importing = await underWay(desk)
    importing.process.kill('SIGINT')
    const { code, stdout, stderr } = await importing.ended
    assert.equal(code, 130)
    assert.match(stderr, /dealdesk: interrupted; \d+ whole batch(es are| is) in, run it again to continue\n$/)
    const [, inserted = '', updated = ''] = /^inserted ([\d,]+), updated ([\d,]+), /.exec(stdout) ?? []
    const kept = countOf(desk)
    assert.ok([kept, kept - 1].includes(Number(inserted.replaceAll(',', '')) + Number(updated)))
    assert.equal(kept % BATCH <= 1, true, `${kept} are not whole batches`)
    assert.equal(desk.rows('PRAGMA integrity_check')[0]?.integrity_check, 'ok')
    assert.deepEqual(indexesOf(desk), indexes)
  })

  test('ends also while standard input is silent', async () => {
    await using desk = openReadyDesk()
    const importing = desk.start(['import', 'customers', '-', '--format', 'csv'])
    importing.process.stdin?.write('name,age\nAna,x\n')
    await importing.said(/line 2: age must be/)
    importing.process.kill('SIGINT')
    assert.equal((await importing.ended).code, 130)
  })

  test('that is killed leaves whole batches, and the indexes as they were', async () => {
    await using desk = openReadyDesk()
    await desk.runAlone(['import', 'customers', '-', '--format', 'csv'], 'name\nfirst\n')
    const indexes = indexesOf(desk)
    const importing = await underWay(desk)
    importing.process.kill('SIGKILL')
    await importing.ended
    assert.equal((await desk.run(['purge'])).code, 0)
    assert.equal(countOf(desk) % BATCH <= 1, true)
    assert.equal(desk.rows('PRAGMA integrity_check')[0]?.integrity_check, 'ok')
    assert.deepEqual(indexesOf(desk), indexes)
  })
})

const countOf = (desk: Desk): number => Number(desk.rows('SELECT count(*) AS n FROM customers')[0]?.n)

const indexesOf = (desk: Desk) =>
  desk.rows(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'customers' ORDER BY name`)
