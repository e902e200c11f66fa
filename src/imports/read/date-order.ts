/** The orders in which people write a date, with an example. 2026-12-31 is understood with each. */
export const dateOrders = { 'day-first': '31.12.2026', 'month-first': '12/31/2026' } as const
export type DateOrder = keyof typeof dateOrders

export const isDateOrder = (text: string | undefined): text is DateOrder =>
  text !== undefined && Object.hasOwn(dateOrders, text)

const written = /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})\s*$/

/** A date as the service reads it; any other text stays unchanged. */
export function isoDate(cell: string, order: DateOrder): string {
  const [, one = '', , two = '', year = ''] = written.exec(cell) ?? []
  if (year === '') return cell
  const [day, month] = order === 'day-first' ? [one, two] : [two, one]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The order in which all of these cells are dates, or else that of the locale. */
export function dateOrderOf(cells: readonly string[], locale: string): DateOrder {
  const numbers = cells.flatMap((cell) => {
    const found = written.exec(cell)
    return found === null ? [] : [[Number(found[1]), Number(found[3])] as const]
  })
  if (numbers.some(([one]) => one > 12)) return 'day-first'
  if (numbers.some(([, two]) => two > 12)) return 'month-first'
  return orderIn(locale)
}

function orderIn(locale: string): DateOrder {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day') && parts.indexOf('year') > parts.indexOf('day')
    ? 'month-first'
    : 'day-first'
}
