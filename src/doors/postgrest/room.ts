import { header } from '../../http/contract/endpoint.ts'
import { readKnownParameters } from '../../http/request/known-parameters.ts'
import { bySchema } from '../../model/by-schema.ts'
import type { Schema } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { DoorAnswer, DoorCall, OpenRoom, Room } from '../door.ts'
import { functionName } from '../kit/names.ts'
import { callFunction } from './call-function.ts'
import { describeTables } from './describe-tables.ts'
import { refused, tellProblem } from './errors.ts'
import { readRows } from './rows/read-rows.ts'
import { deleteRows, insertRows, updateRows } from './rows/write-rows.ts'

export const openRoom: OpenRoom = (service) => {
  const description = bySchema(
    (schema: Schema): DoorAnswer => ({
      status: 200,
      content: describeTables(schema, service),
      contentType: 'application/openapi+json; charset=utf-8',
    }),
  )
  return {
    async answer(call) {
      const profile = header(
        call,
        call.method === 'GET' || call.method === 'HEAD' ? 'accept-profile' : 'content-profile',
      )
      if (profile !== undefined && profile.trim() !== SCHEMA) return noSchema(profile)
      if (call.params.table ?? call.params.function) return answerPostgrest(call)
      const read = readKnownParameters(call.query, [])
      return 'problem' in read ? read : description(call.schema)
    },
    tell: tellProblem,
  }
}

/** All tables are in one schema, which has the name that PostgREST expects. */
const SCHEMA = 'public'

const noSchema = (name: string): DoorAnswer =>
  refused({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${name.slice(0, 64)}`,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  })

async function answerPostgrest(call: DoorCall): ReturnType<Room['answer']> {
  const { table, function: name } = call.params
  const { operations, resources } = call.schema
  const operation = operations.find((each) => functionName(each) === name)
  if (operation !== undefined) return callFunction(operation, call)
  const resource = resources.find(({ plural }) => plural === table)
  if (resource === undefined) throw new Error(`no table is at ${call.path}`)
  switch (call.method) {
    case 'POST':
      return insertRows(resource, call)
    case 'PATCH':
      return updateRows(resource, call)
    case 'DELETE':
      return deleteRows(resource, call)
    default:
      return readRows(collectionOf(resource), call)
  }
}
