import { fault } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Json } from '../../../values/json/json.ts'
import type { Kind, Read } from '../../../values/kinds/kind.ts'
import { structure } from '../../../values/kinds/structure.ts'
import { titleSchema, titlesSchema } from '../../../values/kinds/titles.ts'
import { nameAtStep } from '../../../values/members.ts'
import type { AddedOptions } from '../../source/added-kinds.ts'

// Their parts are checked together with the field (`field-faults.ts`), so that a fault points at the part.

function readObject<T>(raw: unknown): Read<T> {
  return isObject(raw) ? { value: raw as T } : fault('type', { wants: 'object' })
}

function readList<T>(raw: unknown): Read<T> {
  return Array.isArray(raw) ? { value: raw as T } : fault('type', { wants: 'list' })
}

/** The most values of a choice. */
export const MOST_CHOICES = 200
export const LONGEST_VALUE = 100

const optionsInJson = structure(
  {
    type: 'object',
    properties: {
      max: { type: 'integer', minimum: 1, maximum: 10_000 },
      values: {
        type: 'array',
        maxItems: MOST_CHOICES,
        items: {
          type: 'object',
          properties: {
            value: { type: 'string', maxLength: LONGEST_VALUE },
            title: titleSchema,
            titles: titlesSchema,
            closing: { type: 'boolean' },
          },
          required: ['value', 'title'],
          additionalProperties: false,
        },
      },
      to: { type: 'string', maxLength: 40 },
    },
    additionalProperties: false,
  },
  readObject<never>,
) as unknown as Kind<AddedOptions>

/**
 * People write choices as a list, such as `Retail; Health`: the values are the titles. The largest length of a text is
 * a number, and the things that a link leads to have a name.
 */
export const optionsKind: Kind<AddedOptions> = {
  ...optionsInJson,
  /** The value of a new choice is its title, as far as that can be one. */
  fromParts(parts) {
    if (!isObject(parts) || !Array.isArray(parts.values)) return parts
    const values = parts.values.map((each) =>
      isObject(each) ? { value: choiceValue(each.title), ...each } : { value: choiceValue(each), title: each },
    )
    return { ...parts, values } as Json
  },
  readText(text) {
    const sent = text.trim()
    if (sent.startsWith('{')) return optionsInJson.readText(sent)
    if (/^\d+$/.test(sent)) return { value: { max: Number(sent) } }
    if (/^[a-z]+$/.test(sent)) return { value: { to: sent } }
    const titles = sent.split(/[;,\n]/).flatMap((each) => each.trim() || [])
    return { value: { values: titles.map((title) => ({ value: title, title })) } }
  },
}

const choiceValue = (title: unknown): unknown =>
  typeof title === 'string'
    ? [...title.trim().replaceAll(/\s*[;,]+\s*/g, ' ')].slice(0, LONGEST_VALUE).join('').trim()
    : title

/** The longest value that can be unique is an address. */
const LONGEST_UNIQUE = 2000

export interface Repeat {
  readonly value: string | number
  /** The ids of two things that have it. */
  readonly things: readonly (string | number)[]
}

export const repeatsKind = structure(
  {
    type: 'array',
    maxItems: 50,
    items: {
      type: 'object',
      properties: {
        value: { type: ['string', 'number'], maxLength: LONGEST_UNIQUE },
        things: {
          type: 'array',
          maxItems: 2,
          items: { type: ['string', 'integer'], maxLength: 36, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        },
      },
      required: ['value', 'things'],
      additionalProperties: false,
    },
  },
  readList<never>,
) as unknown as Kind<readonly Repeat[]>

type Replacements = Readonly<Record<string, string>>

/** The choice that things get instead of another. */
export const replacementsKind: Kind<Replacements> = {
  ...structure(
    {
      type: 'object',
      maxProperties: MOST_CHOICES,
      additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
    },
    readObject<Replacements>,
  ),
  /** In the name of a form's field, a slash separates parts: values are escaped there. */
  fromParts: (parts) =>
    isObject(parts)
      ? (Object.fromEntries(Object.entries(parts).map(([value, by]) => [nameAtStep(value), by])) as Json)
      : parts,
}
