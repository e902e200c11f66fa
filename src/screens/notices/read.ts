import type { Call } from '../../http/contract/endpoint.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import { newCommandId } from '../forms/command-id.ts'
import { namesOf } from '../parts/names.ts'
import { type Done, readTold, writeDone } from './done-cookie.ts'
import { type Happened, happened, stateBefore } from './happened.ts'
import { noticeMarkup } from './view.ts'

/** The page's message about the form that led to it; undefined if there was none. */
export async function showNotice(call: Call): Promise<Markup | undefined> {
  const told = readTold(call.headers.cookie as string | undefined, call.schema)
  if (told === undefined) return undefined
  const { done, refused } = told
  const {
    made: [first],
  } = await happened(done, call, 1)
  if (first === undefined) return undefined
  const { operation, params, id, doc } = first
  const { addresses } = call.service
  const thing = readDocument(doc) as DataObject
  const customerId = params.customerId
  const named =
    typeof customerId === 'number'
      ? await namesOf(resourceNamed(call.schema, 'customer'), [customerId], call.desk)
      : undefined
  const isUndone =
    refused === undefined && mayEver(call, operation.on, operation) && (await canBeUndone(first, done, call))
  const here = call.query.text === '' ? call.path : `${call.path}?${call.query.text}`
  return noticeMarkup({
    operation,
    params,
    thing,
    customer: typeof customerId === 'number' ? named?.get(customerId) : undefined,
    count: 'key' in done ? done.count : 1,
    isUndo: 'key' in done && done.isUndo === true,
    refused,
    href:
      operation.removes || addresses.thing(operation.on, id) === addresses.base + call.path
        ? undefined
        : addresses.thing(operation.on, id),
    undo: isUndone
      ? { action: `${addresses.base}/undo`, hidden: { done: writeDone(done), _return: here, _command: newCommandId() } }
      : undefined,
  })
}

/** Some changes have no way back, such as a choice whose things have another one now. */
async function canBeUndone(each: Happened, done: Done, call: Call): Promise<boolean> {
  const { undo } = each.operation
  if (undo === undefined || 'key' in done) return undo !== undefined
  const before = await stateBefore(each, call)
  return before !== undefined && undo(before, each.params).length > 0
}
