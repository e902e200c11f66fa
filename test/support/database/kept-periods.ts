import assert from 'node:assert/strict'
import { TOLD_EVENTS } from '../../../src/store/rows/event.ts'
import { wholeState } from '../../../src/store/rows/whole-state.ts'
import type { OwnDatabase } from './own-database.ts'

/** The kept periods are those that the histories of the deals tell, made from scratch. Of whole histories alone. */
export async function assertPeriods({ rows }: Pick<OwnDatabase, 'rows'>): Promise<void> {
  const events = await rows(
    `SELECT subject, revision, at, doc FROM ${TOLD_EVENTS} WHERE resource = 'deal' ORDER BY subject, revision`,
  )
  const told = [...Map.groupBy(events, ({ subject }) => String(subject)).values()].flatMap((history) => {
    const states = history.map(({ subject, revision, at, doc }) => {
      const { pipeline, stage, status } = JSON.parse(wholeState(String(doc))) as Readonly<Record<string, string>>
      return { deal: subject, revision: Number(revision), pipeline, stage, status, since: String(at) }
    })
    const begun = states.filter(({ pipeline, stage, status }, at) => {
      const before = states[at - 1]
      return before?.pipeline !== pipeline || before?.stage !== stage || before?.status !== status
    })
    return begun.map((period, at) => {
      const until = begun[at + 1]?.since ?? null
      const seconds = until === null ? null : secondOf(until) - secondOf(period.since)
      return { id: `${period.deal}.${period.revision}`, ...period, until, seconds }
    })
  })
  const kept = await rows(
    `SELECT id, deal_id AS deal, revision, pipeline, stage, status, since, until, seconds FROM periods
      ORDER BY deal_id, revision`,
  )
  assert.deepEqual(
    kept.map((row) => ({
      ...row,
      revision: Number(row.revision),
      seconds: row.seconds === null ? null : Number(row.seconds),
    })),
    told,
  )
  const last = told.filter(({ until }) => until === null)
  assert.deepEqual(
    (await rows('SELECT id, stage_since, closed_at FROM deals ORDER BY id')).map((row) => ({ ...row })),
    last
      .map(({ deal, status, since }) => ({
        id: deal,
        stage_since: status === 'open' ? since : null,
        closed_at: status === 'open' ? null : since,
      }))
      .toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1)),
    'each deal has the beginning of its last period',
  )
}

const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000)
