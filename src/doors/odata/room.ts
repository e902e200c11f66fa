import { randomUUID } from 'node:crypto'
import { mediaTypeOf } from '../../http/connection/announced-body.ts'
import { header } from '../../http/contract/endpoint.ts'
import { fixedContent } from '../../http/negotiate/fixed-content.ts'
import { readJson } from '../../http/request/body.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { memoize } from '../../values/memoize.ts'
import type { DoorCall, DoorResult, OpenRoom } from '../door.ts'
import { fixedAnswer } from '../kit/tags.ts'
import { answerBatch } from './batch/batch.ts'
import { readBatch } from './batch/batch-envelope.ts'
import { jsonBatch } from './batch/json-batch.ts'
import { multipartBatch } from './batch/multipart-answer.ts'
import { MULTIPART_MIXED, readMultipartBatch } from './batch/multipart-batch.ts'
import type { OdataCall } from './entity-body.ts'
import { readEntity, readProperty } from './entity-reads.ts'
import { countEntities, readEntities } from './list-reads.ts'
import { csdlJson } from './model/csdl-json.ts'
import { csdlXml } from './model/csdl-xml.ts'
import { entitySetsIn } from './model/entity-sets.ts'
import { type OdataPlace, readPlace } from './place.ts'
import { contextText, jsonAnswer, metadataFormat, tellOdata, versionFor, versionProblem } from './protocol.ts'
import { noOptions, readDataOptions, readSystemOptions } from './system-options.ts'
import { write } from './writes.ts'

export const openRoom: OpenRoom = () => ({ answer: answerOdata, tell: tellOdata })

async function answerOdata(call: DoorCall): Promise<DoorResult> {
  const problem = versionProblem(call)
  if (problem !== undefined) return { problem }
  const place = readPlace(call.path.slice('/odata'.length), call)
  if ('problem' in place) return place
  if (place.kind === 'batch' && mediaTypeOf(call.headers) === MULTIPART_MIXED) return answerMultipart(call)
  const read = readJson(call.bytes)
  if ('problem' in read) return read
  const whole: OdataCall = { ...call, body: read.body }
  if (place.kind !== 'batch') return withVersion(await answerPlace(place, whole), call)
  const batch = readBatch(read.body)
  if ('problem' in batch) return batch
  return withVersion(await answerBatch(batch.parts, jsonBatch(versionFor(call)), whole, answerPlace), call)
}

async function answerMultipart(call: DoorCall): Promise<DoorResult> {
  const batch = readMultipartBatch(call.bytes, header(call, 'content-type') ?? '')
  if ('problem' in batch) return batch
  // The boundary must not occur in a thing, which others may have written.
  const format = multipartBatch(versionFor(call), randomUUID())
  return withVersion(await answerBatch(batch.parts, format, { ...call, body: undefined }, answerPlace), call)
}

function withVersion(told: DoorResult, call: DoorCall): DoorResult {
  if ('problem' in told) return told
  return { ...told, headers: { ...told.headers, 'odata-version': versionFor(call) } }
}

/** Answers a request, alone or in a batch. */
async function answerPlace(place: OdataPlace, call: OdataCall): Promise<DoorResult> {
  if (call.method !== 'GET' && call.method !== 'HEAD') return write(place, call)
  switch (place.kind) {
    case 'service':
      return serviceDocument(call)
    case 'metadata':
      return model(call)
    case 'entities':
      return readEntities(place, call)
    case 'count':
      return countEntities(place, call)
    case 'entity':
      return readEntity(place.entity, call)
    case 'property':
      return readProperty(place, call)
    case 'action':
    case 'batch':
      return { problem: { code: 'method-not-allowed', detail: `${call.method} is not for this address; POST is.` } }
  }
}

function serviceDocument(call: DoorCall): DoorResult {
  const read = readDataOptions(call, noOptions)
  if ('problem' in read) return read
  const { format } = read
  const sets = [...entitySetsIn(call.schema).keys()].map((name) => ({ name, kind: 'EntitySet', url: name }))
  const parts = [contextText('', format, call), `"value":${JSON.stringify(sets)}`].filter((part) => part !== '')
  return jsonAnswer(`{${parts.join()}}`, format)
}

const xmlModel = bySchema((schema: Schema) => memoize((version) => fixedContent(csdlXml(schema, version))))
const jsonModel = bySchema((schema: Schema) => memoize((version) => fixedContent(csdlJson(schema, version))))

function model(call: DoorCall): DoorResult {
  const read = readSystemOptions(call.query, noOptions, undefined)
  if ('problem' in read) return read
  const version = versionFor(call)
  const format = metadataFormat(call, read.options.format)
  if (format === undefined) {
    return { problem: { code: 'not-acceptable', detail: 'This is available as application/xml and application/json.' } }
  }
  return format === 'xml'
    ? fixedAnswer(xmlModel(call.schema)(version), 'application/xml;charset=utf-8', call)
    : fixedAnswer(jsonModel(call.schema)(version), 'application/json;charset=utf-8', call)
}
