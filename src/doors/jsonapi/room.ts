import type { Resource } from '../../model/declaration/schema.ts'
import { deletionOf, operationNamed, type Relation } from '../../model/schema/resources.ts'
import type { DoorCall, DoorResult, OpenRoom } from '../door.ts'
import { answerOperations } from './atomic.ts'
import { documentText } from './documents.ts'
import { tellProblem } from './errors.ts'
import { answerLinkageOfMany } from './linkage-many.ts'
import { negotiationFault } from './media-type.ts'
import { answerLinkage, answerList, answerOne, answerRelated, document, parametersFault, selfOf } from './reads.ts'
import { relationsIn, rootAt, typesIn } from './resource-type.ts'
import { readDocument, type SentDocument } from './sent-document.ts'
import { answerCreation, answerLinkageChange, answerOperation, answerUpdate } from './writes.ts'

export const openRoom: OpenRoom = () => ({ answer: answerJsonApi, tell: tellProblem })

async function answerJsonApi(call: DoorCall): Promise<DoorResult> {
  const isAtomic = call.method === 'POST' && call.params.type === undefined
  const fault = negotiationFault(call, { atomic: isAtomic })
  if (fault !== undefined) return { problem: fault }
  const read = readDocument(call, isAtomic ? 'operations' : 'resource')
  if ('problem' in read) return read
  const { document: sent } = read
  const answer = await (isAtomic ? answerOperations(sent, call) : answerAt(sent, call))
  return 'problem' in answer ? { ...answer, sent } : answer
}

/** Only addresses of the declaration arrive here, so each exists. */
function answerAt(sent: SentDocument, call: DoorCall): Promise<DoorResult> | DoorResult {
  const { params } = call
  const { id, name, relationship } = params
  const method = call.method === 'HEAD' ? 'GET' : call.method
  if (params.type === undefined) return answerRoot(call)
  const type = typesIn(call.schema).get(params.type)
  if (type === undefined) throw new Error(`there is no type ${params.type}`)
  if (id === undefined) return method === 'GET' ? answerList(type, call) : answerCreation(type, sent, call)
  if (relationship !== undefined) {
    const relation = relationNamed(type, relationship)
    if (method === 'GET') return answerLinkage(type, id, relation, call)
    const wrong = parametersFault(call)
    if (wrong !== undefined) return { problem: wrong }
    const answer = relation.kind === 'many' ? answerLinkageOfMany : answerLinkageChange
    return answer(type, id, relation, sent, call)
  }
  if (name !== undefined) {
    if (method === 'GET') return answerRelated(type, id, relationNamed(type, name), call)
    const operation = operationNamed(name, type)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    return answerOperation(type, id, operation, sent, call)
  }
  if (method === 'GET') return answerOne(type, id, call)
  return method === 'PATCH'
    ? answerUpdate(type, id, sent, call)
    : answerOperation(type, id, deletionOf(type), sent, call)
}

function relationNamed(type: Resource, name: string): Relation {
  const relation = relationsIn(type).get(name)
  if (relation === undefined) throw new Error(`there is no relationship ${name}`)
  return relation
}

/** GET /jsonapi: links to everything. */
function answerRoot(call: DoorCall): DoorResult {
  const wrong = parametersFault(call)
  if (wrong !== undefined) return { problem: wrong }
  const { addresses } = call.service
  const root = rootAt(addresses)
  const resources = Object.fromEntries([...typesIn(call.schema).keys()].map((type) => [type, `${root}/${type}`]))
  const links = { self: selfOf(call), describedby: `${addresses.base}/docs/doors/jsonapi` }
  const meta = { resources, operations: `${root}/operations` }
  return document(documentText(`"meta":${JSON.stringify(meta)}`, { links }))
}
