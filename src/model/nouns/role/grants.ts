import { type Fault, fault, near, reason, within } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import type { Kind, Read } from '../../../values/kinds/kind.ts'
import { structure } from '../../../values/kinds/structure.ts'
import { text } from '../../../values/kinds/text.ts'
import { optional, readMembers, required } from '../../../values/members.ts'
import type { ConditionFaults, DecidingResource } from '../../declaration/operation.ts'
import { ANYTHING, type Grant, READ } from '../../source/rights-source.ts'

/** The resources that a grant can name. */
export const grantable = ['deal', 'customer', 'task', 'rate', 'target', 'view'] as const

/** Everybody reads them: a grant is for writing. */
export const readByAll: ReadonlySet<string> = new Set(['rate'])

const MOST_GRANTS = 100

const word = text({ min: 1, max: 64 })
const where = text({ min: 1, max: 8000 })

const words: Kind<readonly string[]> = {
  ...structure(
    { type: 'array', items: word.schema },
    (raw): Read<never> => (Array.isArray(raw) ? { value: raw as never } : fault('type', { wants: 'list' })),
  ),
} as unknown as Kind<readonly string[]>

const grantMembers = { on: required(word), may: required(words), where: optional(where) }

/** Their parts are checked by `grantFaults`, so that a fault points at the part. */
export const grantsKind = structure(
  {
    type: 'array',
    maxItems: MOST_GRANTS,
    items: {
      type: 'object',
      properties: {
        on: { type: 'string', enum: grantable },
        may: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          items: { type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' },
        },
        where: { type: 'string', minLength: 1, maxLength: 8000, pattern: '\\S' },
      },
      required: ['on', 'may'],
      additionalProperties: false,
    },
  },
  (raw): Read<never> => (Array.isArray(raw) ? { value: raw as never } : fault('type', { wants: 'list' })),
) as unknown as Kind<readonly Grant[]>

/** The faults of grants as they were sent, each at its part. */
export function grantFaults(
  grants: readonly unknown[],
  schema: DecidingResource['schema'],
  conditionFaults: ConditionFaults,
): readonly Fault[] {
  if (grants.length > MOST_GRANTS)
    return [{ ...reason('too-many-values', { wants: 'list', max: MOST_GRANTS }), at: { pointer: '/grants' } }]
  return grants.flatMap((grant, nth) => {
    const read = readMembers(grantMembers, grant)
    const faults = 'faults' in read ? read.faults : meaningFaults(read.values, schema, conditionFaults)
    return faults.map((each) => within(`/grants/${nth}`, each))
  })
}

function meaningFaults(
  { on, may, where: condition }: Grant,
  schema: DecidingResource['schema'],
  conditionFaults: ConditionFaults,
): readonly Fault[] {
  if (!isGrantable(on)) return [{ ...reason('not-one-of', { values: grantable }), at: { pointer: '/on' } }]
  const known = [READ, ANYTHING, ...operationNames(schema, on)]
  const unknown = may.flatMap((each: unknown, at): readonly Fault[] => {
    const pointer = `/may/${at}`
    if (typeof each !== 'string') return [{ ...reason('type', { wants: 'string' }), at: { pointer } }]
    if (known.includes(each)) return []
    return [{ ...reason('unknown-operation', { operation: each, ...near(nearest(each, known)) }), at: { pointer } }]
  })
  const empty: readonly Fault[] = may.length === 0 ? [{ ...reason('blank'), at: { pointer: '/may' } }] : []
  if (condition === undefined) return [...empty, ...unknown]
  // Any user: `me` means each user who has the role.
  const stored = { on, where: condition, changed: null, owner: ANYBODY }
  return [...empty, ...unknown, ...conditionFaults(stored)]
}

const ANYBODY = 'anybody'

const isGrantable = (on: string): boolean => (grantable as readonly string[]).includes(on)

/** The operations that can be granted, by their names on the resource. */
const operationNames = ({ byName }: DecidingResource['schema'], on: string): readonly string[] => {
  const resource = byName.get(on) as { readonly operations?: readonly { readonly name: string }[] } | undefined
  return resource?.operations?.map(({ name }) => name) ?? []
}

/** A grant as it is kept. */
export const keptGrant = ({ on, may, where: condition }: Grant): Grant => ({
  on,
  may: [...new Set(may)],
  ...(condition !== undefined && { where: condition }),
})
