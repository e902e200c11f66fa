import { staleRevision } from '../values/guard.ts'
import type { Kind } from '../values/kind.ts'
import { type Fault, isObject, NO_OBJECT, unknownMembers } from '../values/members.ts'
import { type Deal, dealFields } from './deal/deal.ts'
import { operations } from './deal/operations.ts'
import type { Operation, Params, Wanted } from './operation.ts'
import type { DealRefusal } from './refusal.ts'

type Field = keyof Deal

const fields = Object.entries(dealFields) as [Field, Kind<unknown>][]
const fieldNames = fields.map(([name]) => name as string)
const kinds = new Map<string, Kind<unknown>>(fields)

/** A deal is taken off hold before anything else is done to it, and put on hold after. */
const updating: readonly Operation[] = operations
  .filter(({ fromAttributes }) => fromAttributes !== undefined)
  .toSorted((a, b) => turn(a) - turn(b))

/** The attributes that an update may change. */
export const updatable: ReadonlySet<string> = new Set<string>(
  updating.flatMap(({ sets = {}, marks = {} }) => [...Object.values(sets), ...Object.keys(marks)]),
)

function turn({ name }: Operation): number {
  return name === 'unhold' ? 0 : name === 'hold' ? 2 : 1
}

/** The attributes that stand for an operation with these parameters; nothing where none can. */
export function attributesFor({ fromAttributes, sets = {}, marks }: Operation, params: Params): Params | undefined {
  if (fromAttributes === undefined) return undefined
  const set = Object.entries(sets).filter(([param]) => Object.hasOwn(params, param))
  return { ...marks, ...Object.fromEntries(set.map(([param, field]) => [field, params[param] ?? null])) }
}

/** What a body wants, as far as it can be read, and what is wrong with the rest of it. */
export interface ReadAttributes {
  readonly wanted: Wanted
  readonly faults: readonly Fault[]
}

/** Reads and checks the attributes that a body wants; what the service alone decides must be as it is. */
export function readAttributes(raw: unknown, deal: Deal): ReadAttributes | { readonly refused: DealRefusal } {
  if (!isObject(raw)) return { wanted: {}, faults: [{ pointer: '', detail: NO_OBJECT }] }
  const { links: _links, ...body } = raw
  if (Number.isInteger(body.revision) && body.revision !== deal.revision) {
    return { refused: staleRevision(deal) }
  }
  const faults: Fault[] = []
  const wanted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const kind = kinds.get(name)
    if (kind === undefined) continue
    // As a client can see it: the largest totals have more digits than the number that it reads.
    if (value === kind.write(deal[name as Field])) continue
    const read = kind.read(value)
    if ('fault' in read) faults.push({ pointer: `/${name}`, detail: read.fault })
    else if (updatable.has(name)) wanted[name] = read.value
    else if (kind.write(read.value) !== kind.write(deal[name as Field]))
      faults.push({ pointer: `/${name}`, detail: howToChange(name as Field) })
  }
  faults.push(...unknownMembers(body, fieldNames))
  return { wanted: withoutHalf(wanted, faults), faults }
}

/** Held and its reason ask for one operation: with one of them unreadable, nothing is said about the other. */
function withoutHalf(wanted: Wanted, faults: readonly Fault[]): Wanted {
  if (!faults.some(({ pointer }) => pointer === '/held' || pointer === '/holdReason')) return wanted
  const { held: _held, holdReason: _reason, ...rest } = wanted
  return rest
}

function howToChange(field: Field): string {
  const names = operations
    .filter(({ changes, on }) => on !== 'nothing' && changes.includes(field))
    .map(({ name }) => name)
  if (names.length > 0) return `is changed by the operation ${names.join(' or ')}`
  return field === 'currency' ? 'is set when the deal is created and cannot be changed' : 'is set by the service'
}

export type AttributeStep =
  | { readonly operation: Operation; readonly params: { readonly [param: string]: unknown } }
  | { readonly operation: Operation; readonly faults: readonly Fault[] }

/** The operations that the difference between the deal and the wanted attributes stands for, in their order. */
export function stepsFrom(deal: Deal, wanted: Wanted): readonly AttributeStep[] {
  return updating.flatMap((operation): AttributeStep[] => {
    const asked = operation.fromAttributes?.(deal, wanted)
    return asked === undefined ? [] : [{ operation, ...asked }]
  })
}
