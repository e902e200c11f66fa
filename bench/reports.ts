import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { randomFrom } from '../src/demo/random.ts'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { resourceNamed } from '../src/model/schema/resources.ts'
import { salesStages as stages } from '../src/model/source/pipeline-source.ts'
import { reports } from '../src/screens/reports/reports.ts'
import { openMaintenance } from '../src/store/open.ts'
import { workRunner } from '../src/store/sqlite/connect/statements.ts'
import { linkEvents } from '../src/store/sqlite/schema/event-links.ts'
import { projectionRows } from '../src/store/sqlite/write/decided-rows.ts'
import { thingRow } from '../src/store/sqlite/write/thing-rows.ts'
import { askAll } from '../src/store/transactions/work.ts'
import { sampleDeal } from './sample.ts'
import { startServer } from './server.ts'

// What each report costs over deals with a year of history, read anew and read again.
// `npm run bench -- reports 100000` says how many deals there are.

const deals = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-reports-'))
const database = join(folder, 'dealdesk.db')
const DAY = 86_400_000

try {
  await fill()
  const server = await startServer('service', { database })
  for (const { name } of reports) {
    const times: number[] = []
    for (const person of ['', 'Person 3']) {
      for (let again = 0; again < 2; again++) {
        const begun = performance.now()
        const answer = await fetch(`http://127.0.0.1:${server.port}/reports/${name}?person=${person}`, {
          headers: { accept: 'text/html' },
        })
        await answer.text()
        if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`)
        times.push(performance.now() - begun)
      }
    }
    const [all = 0, again = 0, one = 0, oneAgain = 0] = times.map(Math.round)
    process.stdout.write(`${name}: ${all} ms, again ${again} ms; of one person ${one} ms, again ${oneAgain} ms\n`)
  }
  await server.stop()
} finally {
  rmSync(folder, { recursive: true })
}

/** Each deal is made, moved a few times, and half of them won or lost, within the last year. */
async function fill(): Promise<void> {
  await openMaintenance({ databaseUrl: database }, { mustExist: false })
  const db = new DatabaseSync(database, { enableForeignKeyConstraints: false })
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN')
  const random = randomFrom(3)
  const deal = resourceNamed(buildSchema(), 'deal')
  const run = workRunner(db)
  const insert = db.prepare(`INSERT INTO events
    (resource, subject, revision, type, operation, action, actor, form, at, params, doc)
    VALUES ('deal', ?, ?, ?, ?, ?, ?, 'verb', ?, ?, ?)`)
  let events = 0
  const now = Date.now()
  for (let nth = 1; nth <= deals; nth++) {
    const { deal: made } = sampleDeal(nth, 1000, random)
    const actor = `Person ${random(30)}`
    const begun = now - random(365) * DAY - random(DAY)
    const steps = [
      'create',
      'move',
      'assign',
      'add-note',
      'move',
      'move',
      ...(random(2) === 0 ? ['move'] : [random(2) === 0 ? 'complete' : 'cancel']),
    ]
    let thing = { ...made, owner: actor, stage: stages[0] ?? 'lead' }
    for (const [at, operation] of steps.entries()) {
      const before = at === 0 ? undefined : thing
      const time = new Date(Math.min(begun + at * random(20) * DAY, now)).toISOString()
      if (operation === 'move') thing = { ...thing, stage: stages[Math.min(at, 4)] ?? 'lead' }
      if (operation === 'complete') thing = { ...thing, status: 'completed', completedOn: time.slice(0, 10) }
      if (operation === 'cancel') thing = { ...thing, status: 'cancelled', closingReason: `Reason ${random(20)}` }
      thing = { ...thing, revision: at + 1, updatedAt: time }
      insert.run(thing.id, at + 1, `deal.${operation}`, operation, operation, actor, time, '{}', deal.toJson(thing))
      run(askAll(projectionRows(deal, before, [{ thing }])))
      events++
    }
    const after = { thing, json: deal.toJson(thing), removed: false, previousAt: null, since: [] }
    run(askAll(thingRow({ resource: deal, before: undefined, after, events: [], commands: [] }, null)))
  }
  linkEvents(db, deal.schema)
  db.exec('COMMIT')
  db.close()
  const size = Math.round(statSync(database).size / 1e6)
  process.stdout.write(`${deals.toLocaleString('en')} deals, ${events.toLocaleString('en')} events, ${size} MB\n`)
}
