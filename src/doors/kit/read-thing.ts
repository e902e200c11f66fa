import { expandItems } from '../../http/ask/expand.ts'
import { findLive } from '../../http/ask/find.ts'
import { faultsProblem, type Refused } from '../../http/contract/problems/problem.ts'
import { thingDocument } from '../../http/respond/documents.ts'
import type { Resource } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { noQuery, type QueryString } from '../../queries/query-string.ts'
import { project } from '../../representations/project.ts'
import type { Stored } from '../../store/port/desk.ts'
import { mayOnlyRead } from '../../values/role.ts'
import type { DoorCall } from '../door.ts'

/** A thing as it is stored, and its document as JSON text. */
export interface ThingRead {
  readonly thing: Stored
  readonly json: string
}

/** A thing with its links; `fields` and `expand` choose its members, as in an address. */
export async function readThing(
  resource: Resource,
  id: unknown,
  call: DoorCall,
  sent: QueryString = noQuery,
): Promise<ThingRead | Refused> {
  const parsed = parseQuery(collectionOf(resource), sent)
  if ('faults' in parsed) return { problem: faultsProblem(sent, parsed.faults) }
  const found = await findLive(resource, id, call)
  if ('problem' in found) return found
  const { fields, expand } = parsed.query
  const whole = documentOf(resource, found.thing, call)
  const [json = whole] = expand === undefined ? [] : await expandItems(expand, [whole], call)
  return { thing: found.thing, json: fields === undefined ? json : project(json, fields) }
}

/** The document of a thing, as this caller sees it. */
export const documentOf = (resource: Resource, thing: Stored, call: Pick<DoorCall, 'role' | 'service'>): string =>
  thingDocument(resource, thing, call.service.addresses, mayOnlyRead(call)).json
