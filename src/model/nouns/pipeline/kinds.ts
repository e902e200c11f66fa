import { fault } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Json } from '../../../values/json/json.ts'
import { type JsonSchema, type Kind, nullable, type Read } from '../../../values/kinds/kind.ts'
import { structure } from '../../../values/kinds/structure.ts'
import { titleSchema, titlesSchema } from '../../../values/kinds/titles.ts'
import type { StageSource } from '../../source/pipeline-source.ts'

// Their parts are checked together with the pipeline (`pipeline-faults.ts`), so that a fault points at the part.

export const MOST_STAGES = 50
export const MOST_REASONS = 100
export const MOST_REQUIRED = 50

const readList = <T>(raw: unknown): Read<T> =>
  Array.isArray(raw) ? { value: raw as T } : fault('type', { wants: 'list' })

const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 40 }

const stagesInJson = structure(
  {
    type: 'array',
    minItems: 1,
    maxItems: MOST_STAGES,
    items: {
      type: 'object',
      properties: {
        name,
        title: titleSchema,
        titles: titlesSchema,
        likelihood: { type: 'integer', minimum: 0, maximum: 100 },
        requires: { type: 'array', maxItems: MOST_REQUIRED, items: { type: 'string', maxLength: 64 } },
        staleAfter: { type: ['integer', 'null'], minimum: 1, maximum: 3650 },
        closing: { type: 'boolean' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
  readList<never>,
) as unknown as Kind<readonly StageSource[]>

export const stagesKind: Kind<readonly StageSource[]> = {
  ...stagesInJson,
  /** The name of a new stage is made of its title. */
  fromParts(parts) {
    if (!Array.isArray(parts)) return parts
    const names = new Set(parts.flatMap((each) => (isObject(each) && typeof each.name === 'string' ? [each.name] : [])))
    return parts.map((each) => {
      if (!isObject(each) || each.name !== undefined) return each as Json
      const name = freeName(String(each.title), names)
      names.add(name)
      return { name, ...each } as Json
    })
  },
}

function freeName(title: string, taken: ReadonlySet<string>): string {
  const words = title
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüßæœøđł]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  const base =
    words
      .replace(/^[^a-z]+/, '')
      .slice(0, 36)
      .replace(/-$/, '') || 'stage'
  let name = base
  for (let at = 2; taken.has(name); at++) name = `${base}-${at}`
  return name
}

/** As German spells its letters without them, and letters that no mark makes. */
const spelled: { readonly [letter: string]: string } = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' },
  ...{ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l' },
}

export const lostReasonsKind = structure(
  { type: 'array', maxItems: MOST_REASONS, items: { type: 'string', minLength: 1, maxLength: 1000 } },
  readList<never>,
) as unknown as Kind<readonly string[]>

/** Where deals go that leave a stage, by its name. */
export type StageMoves = Readonly<Record<string, string>>

export const moveToKind: Kind<StageMoves | null> = nullable(
  structure(
    { type: 'object', maxProperties: MOST_STAGES, additionalProperties: name },
    (raw): Read<StageMoves> => (isObject(raw) ? { value: raw as StageMoves } : fault('type', { wants: 'object' })),
  ),
)
