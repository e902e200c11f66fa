import { readJson } from '../../http/request/body.ts'
import { apply } from '../../http/write/write.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { DoorCall, DoorResult } from '../door.ts'
import { writeByName } from '../kit/call-by-name.ts'
import { writtenHeaders } from '../kit/tags.ts'
import { JSON_TYPE, refused } from './errors.ts'
import { contradiction } from './preferences.ts'
import { answerRows, appliedHeader, readTableRequest } from './rows/answer-rows.ts'

/** POST /postgrest/rpc/hold_deal: the result is one thing, so an array is never sent. */
export async function callFunction(operation: Operation, call: DoorCall): Promise<DoorResult> {
  const request = readTableRequest(collectionOf(operation.on), 'call', call)
  if ('refused' in request) return request.refused
  const { preferences, format } = request
  const body = readJson(call.bytes)
  if ('problem' in body) return body
  const { body: params = {} } = body
  if (!isObject(params)) return refused({ status: 400, code: 'PGRST102', message: 'Parameters are given by name' })
  const { commandId, expectedRevision, dryRun = preferences.transaction && preferences.rollsBack, ...sent } = params
  if (preferences.transaction && dryRun !== preferences.rollsBack) return contradiction('dryRun')
  const applied = await apply({ ...writeByName(operation, sent), commandId, expectedRevision, dryRun }, call)
  if ('problem' in applied) return applied
  const { intent, outcome } = applied
  const headers = writtenHeaders(intent, outcome)
  if (outcome.removed || (preferences.returns ?? 'representation') !== 'representation') {
    return { status: 204, headers: { ...headers, ...appliedHeader(preferences) } }
  }
  const untagged = intent.dryRun || outcome.replayed
  const asObject = { ...format, as: format.as === 'csv' ? ('csv' as const) : ('object' as const) }
  const shown = { ...request, format: asObject, status: 200, headers, untagged }
  const answer = await answerRows([outcome.thing.json], shown, call)
  return format.as === 'array' ? { ...answer, contentType: JSON_TYPE } : answer
}
