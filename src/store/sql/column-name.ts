import type { Kind } from '../../values/kinds/kind.ts'

/**
 * The column of a field. Columns of amounts name their unit: a release with another unit finds no such column, and
 * fails instead of writing wrong amounts.
 */
export const columnName = (field: string, kind: Pick<Kind<unknown>, 'name' | 'decimals'>): string =>
  kind.name === 'amount' ? `${snakeCase(field)}_${unitName(kind)}` : snakeCase(field)

const unitName = ({ decimals }: Pick<Kind<unknown>, 'decimals'>): string =>
  decimals === undefined ? 'thousandths' : `e${decimals}`

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
