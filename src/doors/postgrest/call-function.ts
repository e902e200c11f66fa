import { faultsProblem, type Problem } from '../../http/contract/problems/problem.ts'
import { readJson } from '../../http/request/body.ts'
import { apply, replayed } from '../../http/write/write.ts'
import type { Operation } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { isObject } from '../../values/members.ts'
import type { DoorAnswer, DoorCall } from '../door.ts'
import { writeByName } from '../kit/call-by-name.ts'
import { readAskedRows } from './asked/asked-rows.ts'
import { refused } from './errors.ts'
import { contradiction, readPreferences } from './preferences.ts'
import { answerRows, appliedHeader, dryRunHeader, formatFor } from './rows/answer-rows.ts'

/** POST /postgrest/rpc/hold_deal: the result is one thing, so an array is never sent. */
export async function callFunction(
  operation: Operation,
  call: DoorCall,
): Promise<DoorAnswer | { readonly problem: Problem }> {
  const { on: resource } = operation
  const format = formatFor(call)
  if ('problem' in format) return format
  const preferences = readPreferences(call, 'call')
  if ('answer' in preferences) return preferences.answer
  const collection = collectionOf(resource)
  const asked = readAskedRows(collection, call.query.parameters, 'call')
  if ('faults' in asked) return { problem: faultsProblem(call.query, asked.faults) }
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  const { body: params = {} } = body
  if (!isObject(params)) return refused({ status: 400, code: 'PGRST102', message: 'Parameters are given by name' })
  const { commandId, expectedRevision, dryRun = preferences.transaction && preferences.rollsBack, ...sent } = params
  if (preferences.transaction && dryRun !== preferences.rollsBack) return contradiction('dryRun')
  const applied = await apply({ ...writeByName(operation, sent), commandId, expectedRevision, dryRun }, call)
  if ('problem' in applied) return applied
  const { intent, outcome } = applied
  const headers = { ...replayed(outcome), ...dryRunHeader(intent) }
  if (outcome.removed || (preferences.returns ?? 'representation') !== 'representation') {
    return { status: 204, headers: { ...headers, ...appliedHeader(preferences) } }
  }
  const untagged = intent.dryRun || outcome.replayed
  const asObject = { ...format, as: format.as === 'csv' ? ('csv' as const) : ('object' as const) }
  const { members } = asked
  const answer = await answerRows(
    [outcome.thing.json],
    { collection, members, format: asObject, preferences, status: 200, headers, untagged },
    call,
  )
  return format.as === 'array' ? { ...answer, contentType: 'application/json; charset=utf-8' } : answer
}
