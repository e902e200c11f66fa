import { header } from '../../http/contract/endpoint.ts'
import { type RefusedCall, wrongMember } from '../../http/contract/problems/problem.ts'
import { fault, type Reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { parseJson } from '../../values/json/parse-json.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { isNumeric, type Kind } from '../../values/kinds/kind.ts'
import { groupsOf, type Members } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { isElsewhere } from '../kit/own-address.ts'
import { type EntitySet, setOf } from './model/entity-sets.ts'
import { belowRoot, navigationIn, readPlace } from './place.ts'
import { isIeee754 } from './protocol.ts'

/** A request with the value of its body. */
export interface OdataCall extends DoorCall {
  /** Undefined if there was none. */
  readonly body: unknown
}

/** The members of a body without control information; `customer@odata.bind` becomes the key that it names. */
export function readMembers(
  set: EntitySet,
  members: Members,
  call: OdataCall,
): { readonly members: unknown } | RefusedCall {
  const { body = {} } = call
  if (!isObject(body)) return { members: body }
  const textual = isIeee754(header(call, 'content-type'))
  const read: Record<string, unknown> = {}
  const groups = groupsOf(set.resource?.names ?? NO_NAMES)
  const readMember = (name: string, value: unknown): unknown => {
    if (!groups.has(name) || !isObject(value)) return textual ? numberOf(kindOf(name, members, set), value) : value
    const own = Object.entries(value).filter(([each]) => !each.includes('@'))
    return Object.fromEntries(own.map(([each, inner]) => [each, readMember(`${name}.${each}`, inner)]))
  }
  for (const [name, value] of Object.entries(body)) {
    const [, property = '', term] = /^([^@]*)@(?:odata\.)?(\w+)/.exec(name) ?? []
    if (term === 'bind') {
      const bound = readBinding(set, property, value, call)
      if ('fault' in bound) return { problem: wrongMember(pointerTo(name), bound.fault) }
      read[bound.field] = bound.key
    } else if (term === undefined) read[name] = readMember(name, value)
  }
  return { members: read }
}

/** The kind of a parameter, or of a property that only the service sets: an entity may be sent back as it was read. */
function kindOf(name: string, members: Members, { resource }: EntitySet): Kind<unknown> | undefined {
  const known = [members, resource?.fields ?? {}].find((each) => Object.hasOwn(each, name))
  return known?.[name]?.kind
}

/** With IEEE754Compatible, wide numbers come as texts. They are read and refused as numbers. */
function numberOf(kind: Kind<unknown> | undefined, value: unknown): unknown {
  const isNumber = kind !== undefined && isNumeric(kind)
  return isNumber && typeof value === 'string' && numberText.test(value) ? parseJson(value) : value
}

const NO_NAMES: readonly string[] = []

/** RFC 8259 §6. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function readBinding(
  set: EntitySet,
  property: string,
  value: unknown,
  call: OdataCall,
): { readonly field: string; readonly key: unknown } | { readonly fault: Reason } {
  const by = navigationIn(set, property)
  if (by?.kind !== 'one') return fault('malformed', { wants: 'navigation' })
  const { field } = by
  if (value === null) return { field, key: null }
  if (typeof value !== 'string') return fault('malformed', { wants: 'entity-address' })
  const place = isElsewhere(value, call) ? undefined : readPlace(belowRoot(value), call)
  const entity = place === undefined || 'problem' in place || place.kind !== 'entity' ? undefined : place.entity
  if (entity === undefined || !('key' in entity) || isObject(entity.key) || entity.set !== setOf(by.of)) {
    return fault('malformed', { wants: 'entity-address-of', set: setOf(by.of).name })
  }
  return { field, key: entity.key }
}
