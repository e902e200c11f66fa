import { pick } from '../../../src/demo/random.ts'
import { pascalCase } from '../../../src/values/letter-case.ts'
import { adapters } from '../../support/doors/adapters.ts'
import type { TestService } from '../../support/service/running-service.ts'
import { asJson, chance, type Drawing, type Drawn, resourceOf } from './drawing.ts'
import type { Wanted } from './operations.ts'

/** The operation through a door: as its adapter asks for it, or in a way of its protocol's own. */
export function throughDoor(drawing: Drawing, want: Wanted): Drawn | undefined {
  return chance(drawing, 65) ? asAdapted(drawing, want) : inItsOwnWay(drawing, want)
}

/** What an adapter sends, without sending it. */
function asAdapted(drawing: Drawing, want: Wanted): Drawn {
  const { perform } = pick(adapters, drawing.random)
  const { operation, params, target } = want
  const dryRun = chance(drawing, 8)
  const sample = {
    ...{ operation, params, target, command: chance(drawing, 30) ? `d-${drawing.at}` : '' },
    ...(chance(drawing, 6) && { expectedRevision: 1 + drawing.random(4) }),
    ...(dryRun && { dryRun }),
  }
  let sent: Drawn | undefined
  const request: TestService['request'] = (method, path, { body, headers = {} } = {}) => {
    const { headers: type, ...content } = asJson(body)
    sent = { does: 'ask', method, path, ...content, headers: { ...type, ...headers }, ...(dryRun && { dry: true }) }
    return Promise.reject(new NotSent())
  }
  perform({ request } as TestService, sample).catch((cause) => {
    if (!(cause instanceof NotSent)) throw cause
  })
  if (sent === undefined) throw new Error('the adapter sent nothing')
  return sent
}

class NotSent extends Error {}

/** How a protocol writes without naming an operation. */
function inItsOwnWay(drawing: Drawing, want: Wanted): Drawn | undefined {
  const { operation, params } = want
  const ways: Readonly<Record<string, (drawing: Drawing, want: Wanted) => Drawn>> = {
    create: pick([inserted, added], drawing.random),
    delete: pick([removedRow, removedEntity], drawing.random),
  }
  const way =
    ways[operation.name] ?? (Object.keys(params).length > 0 ? pick([row, entity, document], drawing.random) : row)
  return way(drawing, want)
}

const set = ({ operation: { on } }: Wanted): string => pascalCase(on.plural)
const table = ({ operation: { on } }: Wanted): string => `/postgrest/${on.plural}`

/** A row named by a filter: its id, or another value of its own. */
const rowOf = ({ target, by }: Wanted): string =>
  by === undefined
    ? `id=eq.${target}`
    : `${by.field.replace('own.', 'own->>')}=eq.${encodeURIComponent(String(by.value))}`

const key = ({ target, by }: Wanted): string =>
  by === undefined || by.field.startsWith('own.')
    ? target
    : `${by.field}='${encodeURIComponent(String(by.value).replaceAll("'", "''"))}'`

/** Fields that the operation sets, as a change of attributes. */
const changes = ({ operation: { sets = {} }, params }: Wanted): object =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [sets[name] ?? name, value]))

const prefer = (drawing: Drawing): { readonly prefer?: string } =>
  chance(drawing, 60)
    ? { prefer: pick(['return=representation', 'return=minimal', 'tx=rollback'], drawing.random) }
    : {}

function rows(drawing: Drawing, method: string, path: string, body?: unknown, more = {}): Drawn {
  const headers = { ...prefer(drawing), ...more }
  const content = body === undefined ? {} : asJson(body)
  return {
    does: 'ask',
    method,
    path,
    ...content,
    headers: { ...content.headers, ...headers },
    ...(headers.prefer === 'tx=rollback' && { dry: true }),
  }
}

const row = (drawing: Drawing, want: Wanted): Drawn =>
  rows(drawing, 'PATCH', `${table(want)}?${rowOf(want)}`, changes(want))

const removedRow = (drawing: Drawing, want: Wanted): Drawn => rows(drawing, 'DELETE', `${table(want)}?${rowOf(want)}`)

function inserted(drawing: Drawing, want: Wanted): Drawn {
  const body = chance(drawing, 50) ? want.params : [want.params, ...(chance(drawing, 50) ? [want.params] : [])]
  if (!chance(drawing, 30)) return rows(drawing, 'POST', table(want), body)
  const { uniques } = resourceOf(drawing, want.operation.on.name)
  const on = uniques.length === 0 ? '' : `?on_conflict=${pick(uniques, drawing.random).replace('own.', 'own->>')}`
  const resolution = pick(['merge-duplicates', 'ignore-duplicates'], drawing.random)
  return rows(drawing, 'POST', `${table(want)}${on}`, body, { prefer: `resolution=${resolution}` })
}

const added = (_drawing: Drawing, want: Wanted): Drawn => ({
  ...{ does: 'ask', method: 'POST', path: `/odata/${set(want)}` },
  ...asJson(want.params),
})

const entity = (_drawing: Drawing, want: Wanted): Drawn => ({
  ...{ does: 'ask', method: 'PATCH', path: `/odata/${set(want)}(${key(want)})` },
  ...asJson(changes(want)),
})

const removedEntity = (_drawing: Drawing, want: Wanted): Drawn => ({
  ...{ does: 'ask', method: 'DELETE', path: `/odata/${set(want)}(${key(want)})` },
})

/** A resource of JSON:API with attributes as they should be. */
function document(drawing: Drawing, want: Wanted): Drawn {
  const { plural } = want.operation.on
  const dry = chance(drawing, 10)
  const body = {
    data: { type: plural, id: want.target, attributes: changes(want) },
    ...(dry && { meta: { dryRun: true } }),
  }
  return {
    ...{ does: 'ask', method: 'PATCH', path: `/jsonapi/${plural}/${want.target}`, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/vnd.api+json' },
    ...(dry && { dry }),
  }
}
