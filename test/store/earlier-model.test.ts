import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrateDatabase, openStore } from '../../src/store/open.ts'
import { earlierDatabases } from '../support/database/earlier-database.ts'
import type { OwnDatabase } from '../support/database/own-database.ts'

// Fields had no positions, and pipelines and stages no titles in languages.

const databases: OwnDatabase[] = []
after(() => {
  for (const database of databases) database.remove()
})

const at = '2026-11-01T08:00:00.000Z'
const times = { createdAt: at, updatedAt: at, revision: 1 }
const columns = { created_at: at, updated_at: at, revision: 1 }

for (const [name, earlier] of earlierDatabases) {
  test(`the model of an earlier release keeps its order and its words, on ${name}`, async () => {
    const database = await earlier('0053-places-of-fields')
    databases.push(database)
    const field = (nth: number, on: string, named: string, retiredAt: string | null = null) => {
      const id = `01936f2e-5d3c-7a41-8f6b-00000000000${nth}`
      // A choice may be called like a member.
      const replaceBy = { a: 'b', retiredAt: 'b' }
      const doc = { ...{ id, title: named, on, name: named, titles: {}, kind: 'choice', options: {}, required: false } }
      const rest = { unique: false, indexed: false, searched: false, help: ',"retiredAt":null,' }
      const kept = { retiredAt, state: 'ready', repeats: null, replaceBy, ...times }
      const row = {
        ...{ id, title: named, on_: on, name: named, titles: '{}', kind: 'choice', options: '{}' },
        ...columns,
      }
      const flags = { required: false, unique_: false, indexed_: false, searched: false, help: rest.help }
      const more = { retired_at: retiredAt, state: 'ready', repeats: null, replace_by: JSON.stringify(replaceBy) }
      return { ...row, ...flags, ...more, doc: JSON.stringify({ ...doc, ...rest, ...kept }) }
    }
    const fields = [
      field(3, 'deal', 'last'),
      field(1, 'deal', 'first'),
      field(2, 'deal', 'gone', at),
      field(4, 'task', 'other'),
    ]
    await database.insert('fields', fields)
    // Stages may be called like members.
    const stages = ['likelihood', 'position'].map((each) => ({
      ...{ name: each, title: `,"likelihood":${each}`, likelihood: 5, requires: [], staleAfter: null, closing: true },
    }))
    const id = '01936f2e-5d3c-7a41-8f6b-000000000009'
    const moveTo = { due: 'lead', likelihood: 'lead', position: 'lead' }
    const pipeline = { id, name: 'late', title: ',"position":3,', position: 3, default: false, stages }
    const kept = { lostReasons: [',"likelihood":3'], closing: false, moveTo, successor: null, ...times }
    const row = { id, name: 'late', title: pipeline.title, position: 3, default_: false, ...columns }
    const texts = { stages: JSON.stringify(stages), lost_reasons: JSON.stringify(kept.lostReasons) }
    const more = { closing: false, move_to: JSON.stringify(moveTo), doc: JSON.stringify({ ...pipeline, ...kept }) }
    await database.insert('pipelines', [{ ...row, ...texts, ...more }])
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    const { current } = store.schemas
    assert.deepEqual(
      current.fields.map(({ on, name, position, group }) => [on, name, position, group]),
      [
        ['deal', 'first', 0, null],
        ['task', 'other', 0, null],
        ['deal', 'gone', 1, null],
        ['deal', 'last', 2, null],
      ],
    )
    const [, gone] = await database.rows('SELECT doc FROM fields ORDER BY id')
    const { position: _position, group: _group, ...before } = JSON.parse(String(gone?.doc))
    assert.deepEqual(before, JSON.parse(fields[2]?.doc ?? ''))
    const [sales, late] = current.pipelines
    assert.deepEqual([sales?.titles, sales?.stages.map(({ titles }) => titles)], [{}, Array(5).fill({})])
    const titled = stages.map((stage) => ({ ...stage, titles: {} }))
    assert.deepEqual(late, { ...pipeline, ...kept, stages: titled, titles: {} })
    const [stored] = await database.rows("SELECT stages, titles FROM pipelines WHERE name = 'late'")
    assert.deepEqual([JSON.parse(String(stored?.stages)), stored?.titles], [titled, '{}'])
    await store.close()
  })
}
