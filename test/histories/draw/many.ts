import { pick } from '../../../src/demo/random.ts'
import { membersToCreate } from '../../../src/model/declaration/resource.ts'
import { capitalized } from '../../../src/values/kinds/text.ts'
import { memberIn } from '../../../src/values/members.ts'
import { asJson, chance, type Drawing, type Drawn, resourceOf, weighted } from './drawing.ts'
import { drawParams, likely, targetInBody, type Wanted, wanted } from './operations.ts'
import { drawText } from './values.ts'

// Several commands in one request: in a batch, a stream, or what a door has for it.

interface Command {
  readonly [member: string]: unknown
}

export function many(drawing: Drawing): Drawn {
  const way = weighted(drawing, [
    [6, batch],
    [2, stream],
    [2, atomicDocument],
    [1, calls],
    [1, changeSet],
  ])
  return way(drawing)
}

function batch(drawing: Drawing): Drawn {
  const commands = drawCommands(drawing)
  const isAtomic = chance(drawing, 55)
  return {
    does: 'ask',
    method: 'POST',
    path: '/rest/v1/batch',
    ...asJson({ ...(isAtomic && { atomic: true }), commands }),
  }
}

function stream(drawing: Drawing): Drawn {
  const lines = drawCommands(drawing).map((command) => `${JSON.stringify(command)}\n`)
  const headers = { 'content-type': 'application/x-ndjson' }
  return { does: 'ask', method: 'POST', path: '/rest/commands', headers, body: lines.join('') }
}

/** One after the other, some of which name what an earlier one makes or names in the same way. */
function drawCommands(drawing: Drawing): readonly Command[] {
  const count = 1 + drawing.random(chance(drawing, 8) ? 12 : 4)
  const wants: Wanted[] = []
  const commands: Command[] = []
  for (let nth = 0; nth < count; nth++) {
    const before = wants.length > 0 && chance(drawing, 45) ? pick(wants, drawing.random) : undefined
    const want = before === undefined ? wanted(drawing) : again(drawing, before)
    const at = before === undefined ? -1 : wants.indexOf(before)
    const made = at !== -1 && wants[at]?.target === '' ? `$${at}` : undefined
    const isUpsert = chance(drawing, 20)
    commands.push({
      ...(isUpsert ? upsert(drawing, want, commands) : command(want, made)),
      ...(chance(drawing, 25) && { id: `b-${drawing.at}-${nth}` }),
      ...(chance(drawing, 5) && { revision: 1 + drawing.random(3) }),
    })
    wants.push(want)
  }
  return commands
}

/** Something else with the thing of an earlier command. */
function again(drawing: Drawing, before: Wanted): Wanted {
  const { on } = before.operation
  const operation = pick(likely(drawing, on, 35), drawing.random)
  const params = drawParams(drawing, operation.params, operation) as Wanted['params']
  return { ...before, operation, params }
}

function command(want: Wanted, made: string | undefined): Command {
  const { operation, params } = want
  const isNew = operation.to === 'nothing'
  return {
    ...(!isNew && { [operation.on.name]: made ?? targetInBody(want) }),
    action: operation.words.action,
    params,
  }
}

/** Of the thing with a unique value: that of a command before, one that there is, or a new one. */
function upsert(drawing: Drawing, want: Wanted, before: readonly Command[]): Command {
  const resource = resourceOf(
    drawing,
    ['deal', 'customer', 'task'].includes(want.operation.on.name) ? want.operation.on.name : 'deal',
  )
  const { name } = resource
  const earlier = before.map((each) => each[name]).filter((target) => typeof target === 'object' && target !== null)
  const known = drawing.known.of(name).flatMap(({ latest }) => memberIn(latest ?? {}, 'reference') ?? [])
  const some = known.length > 0 && chance(drawing, 60) ? pick(known, drawing.random) : drawText(drawing)
  const target = earlier.length > 0 && chance(drawing, 60) ? pick(earlier, drawing.random) : { reference: some }
  const { reference: _named, ...params } = drawParams(
    drawing,
    membersToCreate(resource),
    resource.operations[0] as never,
  ) as Command
  return { [name]: target, action: `Upsert${capitalized(name)}`, params }
}

/** The atomic operations of JSON:API, some of them tried only. */
function atomicDocument(drawing: Drawing): Drawn {
  const dry = chance(drawing, 25)
  const operations = Array.from({ length: 1 + drawing.random(3) }, () => atomicOperation(wanted(drawing)))
  const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const body = { ...(dry && { meta: { dryRun: true } }), 'atomic:operations': operations }
  return {
    ...{ does: 'ask', method: 'POST', path: '/jsonapi/operations', body: JSON.stringify(body) },
    headers: { 'content-type': type },
    ...(dry && { dry }),
  }
}

function atomicOperation({ operation, params, target }: Wanted): object {
  const { plural } = operation.on
  if (operation.to === 'nothing') return { op: 'add', data: { type: plural, attributes: params } }
  if (operation.name === 'delete') return { op: 'remove', ref: { type: plural, id: target } }
  return { op: 'add', href: `/jsonapi/${plural}/${target}/${operation.name}`, data: { attributes: params } }
}

/** A batch of JSON-RPC: each call for itself. */
function calls(drawing: Drawing): Drawn {
  const body = Array.from({ length: 1 + drawing.random(3) }, (_, id) => {
    const { operation, params, target } = wanted(drawing)
    const named = operation.to === 'nothing' ? {} : { id: target }
    return { jsonrpc: '2.0', id, method: `${operation.on.plural}.${operation.name}`, params: { ...named, ...params } }
  })
  return { does: 'ask', method: 'POST', path: '/rpc', ...asJson(body) }
}

/** A batch of OData, in a group that takes effect together or not. */
function changeSet(drawing: Drawing): Drawn {
  const group = chance(drawing, 60) ? { atomicityGroup: 'g' } : {}
  const requests = Array.from({ length: 1 + drawing.random(3) }, (_, id) => {
    const { operation, params, target } = wanted(drawing)
    const set = operation.on.plural.replace(/^./, (letter) => letter.toUpperCase())
    const action = `Dealdesk.${operation.name.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`
    const url = operation.to === 'nothing' ? set : `${set}(${target})/${action}`
    return {
      id: String(id),
      method: 'POST',
      url,
      ...group,
      headers: { 'content-type': 'application/json' },
      body: params,
    }
  })
  return { does: 'ask', method: 'POST', path: '/odata/$batch', ...asJson({ requests }) }
}
