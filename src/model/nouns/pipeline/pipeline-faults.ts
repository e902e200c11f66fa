import { type Fault, near, within } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { type Kind, nullable } from '../../../values/kinds/kind.ts'
import { boolean, integer } from '../../../values/kinds/number.ts'
import { capitalized, text } from '../../../values/kinds/text.ts'
import { title, titleFaults, titlesKind, trimmed } from '../../../values/kinds/titles.ts'
import { optional, readMembers, required } from '../../../values/members.ts'
import type { DecidingResource } from '../../declaration/operation.ts'
import type { StageSource } from '../../source/pipeline-source.ts'
import { reason } from '../deal/params.ts'
import { MOST_REASONS, MOST_REQUIRED, MOST_STAGES } from './kinds.ts'
import { slug } from './pipeline.ts'

/** A list; its items are checked separately, so that a fault points at the item. */
const list: Kind<readonly unknown[]> = {
  name: 'json',
  schema: { type: 'array' },
  nullable: false,
  read: (raw) => (Array.isArray(raw) ? { value: raw } : { fault: { code: 'type', with: { wants: 'list' } } }),
  readText: () => ({ fault: { code: 'type', with: { wants: 'list' } } }),
  write: () => null,
}

const fieldName = text({ min: 1, max: 64 })

const stageMembers = {
  name: required(slug),
  title: optional(title),
  titles: optional(titlesKind),
  likelihood: optional(integer({ min: 0, max: 100 })),
  requires: optional(list),
  staleAfter: optional(nullable(integer({ min: 1, max: 3650 }))),
  closing: optional(boolean),
}

/** The faults of stages as they were sent, each at its part; `before` are those that they replace. */
export function stageFaults(
  stages: readonly unknown[],
  schema: DecidingResource['schema'],
  before: readonly StageSource[] = [],
): readonly Fault[] {
  if (stages.length === 0) return [{ code: 'blank', at: { pointer: '/stages' } }]
  if (stages.length > MOST_STAGES) return [tooManyStages]
  const known = requirable(schema, before)
  const names = stages.map((stage) => (isObject(stage) ? stage.name : undefined))
  return stages.flatMap((stage, nth): readonly Fault[] => {
    const read = readMembers(stageMembers, stage)
    const isRepeated = names[nth] !== undefined && names.indexOf(names[nth]) < nth
    const faults: readonly Fault[] = [
      ...('faults' in read ? read.faults : []),
      ...(isObject(stage) && isObject(stage.titles) ? titleFaults(stage.titles, '/titles') : []),
      ...(isRepeated ? [{ code: 'repeated', at: { pointer: '/name' } } as const] : []),
      ...(isObject(stage) && Array.isArray(stage.requires) ? requireFaults(stage.requires, known) : []),
    ]
    return faults.map((each) => within(`/stages/${nth}`, each))
  })
}

export const tooManyStages: Fault = {
  ...{ code: 'too-many-values', with: { wants: 'list', max: MOST_STAGES } },
  at: { pointer: '/stages' },
}

function requireFaults(fields: readonly unknown[], known: readonly string[]): readonly Fault[] {
  if (fields.length > MOST_REQUIRED)
    return [{ code: 'too-many-values', with: { wants: 'list', max: MOST_REQUIRED }, at: { pointer: '/requires' } }]
  return fields.flatMap((field, nth): Fault[] => {
    const at = { pointer: `/requires/${nth}` }
    const read = fieldName.read(field)
    if ('fault' in read) return [{ ...read.fault, at }]
    if (fields.indexOf(field) < nth) return [{ code: 'repeated', at }]
    return known.includes(read.value) ? [] : [{ code: 'unknown', with: near(nearest(read.value, known)) ?? {}, at }]
  })
}

/**
 * The fields that a stage can require: those of a deal and of what it refers to, added ones included. One that was
 * retired since can stay in the list: it is not asked for until it is restored.
 */
export const requirable = (
  { byName }: DecidingResource['schema'],
  before: readonly Pick<StageSource, 'requires'>[] = [],
): readonly string[] => {
  const { names = [], references = [] } = byName.get(ENTERING) ?? {}
  const related = references.flatMap(({ name, to }) => (byName.get(to)?.names ?? []).map((field) => `${name}.${field}`))
  return [...names, ...related, ...before.flatMap(({ requires }) => requires)]
}

/** Its things enter stages. */
const ENTERING = 'deal'

export function reasonFaults(reasons: readonly unknown[]): readonly Fault[] {
  if (reasons.length > MOST_REASONS)
    return [{ code: 'too-many-values', with: { wants: 'list', max: MOST_REASONS }, at: { pointer: '/lostReasons' } }]
  return reasons.flatMap((each, nth): Fault[] => {
    const at = { pointer: `/lostReasons/${nth}` }
    const read = reason.read(each)
    if ('fault' in read) return [{ ...read.fault, at }]
    return reasons.indexOf(each) < nth ? [{ code: 'repeated', at }] : []
  })
}

/** A stage with everything that was not sent. */
export const wholeStage = ({
  name,
  title = capitalized(name.replaceAll('-', ' ')),
  titles = {},
  likelihood = 50,
  requires = [],
  staleAfter = null,
}: Partial<StageSource> & Pick<StageSource, 'name'>): StageSource => ({
  ...{ name, title: title.trim(), titles: trimmed(titles), likelihood, requires, staleAfter },
  closing: false,
})
