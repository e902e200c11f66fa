import type { Kind } from '../../values/kinds/kind.ts'

/**
 * The column of a field. Columns of amounts name their unit: a release with another unit finds no such column, and
 * fails instead of writing wrong amounts.
 */
export const columnName = (field: string, kind: Pick<Kind<unknown>, 'name' | 'decimals'>): string =>
  kind.name === 'amount' ? `${snakeCase(field)}_${unitName(kind)}` : (otherNames.get(field) ?? snakeCase(field))

/** The columns of fields whose names are SQL's own words, and of keys of other things. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ...['on', 'unique', 'indexed', 'default', 'group'].map((word) => [word, `${word}_`] as const),
  ['from', 'from_day'],
  ['to', 'to_day'],
  ['user', 'user_name'],
  ['key', 'key_name'],
  ['where', 'condition'],
  ['webhook', 'webhook_id'],
])

const unitName = ({ decimals }: Pick<Kind<unknown>, 'decimals'>): string =>
  decimals === undefined ? 'thousandths' : `e${decimals}`

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
