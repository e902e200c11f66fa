import fc from 'fast-check'
import type { Comparison } from './naive-evaluator.ts'

export interface Asked extends Comparison {
  /** The values as a client writes them. */
  readonly texts: readonly string[]
}

/** Some way in which a client may write a comparison: one or more parameters. */
export function spelled(asked: Asked, key: string, numeric: boolean): fc.Arbitrary<string> {
  const { field, operator, texts } = asked
  if (operator === 'in') return fc.constant(`${field}.in=${texts.map(encodeURIComponent).join(',')}`)
  const each = (spell: (value: string) => string) => texts.map((text) => spell(encodeURIComponent(text))).join('&')
  return fc.constantFrom(...spellings(field, operator, key, numeric)).map(each)
}

type Spell = (value: string) => string

function spellings(field: string, operator: Comparison['operator'], key: string, numeric: boolean): readonly Spell[] {
  const dotted: Spell = (value) => `${field}.${operator}=${value}`
  switch (operator) {
    case 'eq':
      return [dotted, (v) => `${field}=${v}`]
    case 'ne':
      return [
        dotted,
        ...signs('!%3D', '!=', `%21=`, '!%3D=').map(
          (sign): Spell =>
            (v) =>
              `${field}${sign}${v}`,
        ),
      ]
    case 'gt':
      return [dotted, ...signs('>', '%3E').map(behind(field)), ...(field === key ? [behind('')('gt=')] : [])]
    case 'lt':
      return [dotted, ...signs('<', '%3C').map(behind(field)), ...(field === key ? [behind('')('lt=')] : [])]
    case 'gte':
      return [
        dotted,
        ...signs('>=', '%3E=', '%3E%3D=', '%3E%3D').map(behind(field)),
        ...(field === key ? [behind('')('min=')] : []),
        ...(numeric ? [behind('min-')(`${field}=`)] : []),
      ]
    case 'lte':
      return [
        dotted,
        ...signs('<=', '%3C=', '%3C%3D=', '%3C%3D').map(behind(field)),
        ...(field === key ? [behind('')('max=')] : []),
        ...(numeric ? [behind('max-')(`${field}=`)] : []),
      ]
    default:
      return [dotted]
  }
}

const signs = (...all: readonly string[]): readonly string[] => all
const behind =
  (field: string) =>
  (sign: string): Spell =>
  (value) =>
    `${field}${sign}${value}`
