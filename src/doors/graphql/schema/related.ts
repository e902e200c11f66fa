import { type RelatedThings, readRelated } from '../../../http/ask/related.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Relation } from '../../../model/schema/resources.ts'
import { type DataObject, isDataObject, readDocument } from '../../../representations/read-document.ts'
import type { DoorCall } from '../../door.ts'
import type { GraphqlContext } from './context.ts'

interface Waiting {
  readonly keys: Set<Key>
  readonly found: Promise<RelatedThings>
}

/** Reads the things related to a page in one statement: their resolvers all run before it is sent. */
export function relatedReads(call: Pick<DoorCall, 'desk' | 'budget'>): GraphqlContext['related'] {
  const waiting = new Map<Relation, Waiting>()

  function gather(relation: Relation): Waiting {
    const keys = new Set<Key>()
    const found = afterResolvers().then(() => {
      waiting.delete(relation)
      return readRelated(relation, [...keys], call)
    })
    const begun = { keys, found }
    waiting.set(relation, begun)
    return begun
  }

  return async (relation, key) => {
    const { keys, found } = waiting.get(relation) ?? gather(relation)
    keys.add(key)
    return ((await found).get(String(key)) ?? []).map(readThingDocument)
  }
}

/** After the currently settled promises, each of which may lead to a further resolver. */
const afterResolvers = (): Promise<void> =>
  Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)))

export function readThingDocument(json: string): DataObject {
  const document = readDocument(json)
  if (!isDataObject(document)) throw new Error('a thing is an object')
  return document
}
