import type { Call } from '../../http/contract/endpoint.ts'
import { plainDecimalText } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { wordsFor } from '../../languages/text.ts'
import type { Desk } from '../../store/port/desk.ts'
import { decimalsOf } from '../../values/kinds/money.ts'
import type { ListedItems } from '../../values/listed-items.ts'
import { agoMarkup } from '../parts/moment.ts'
import { amountText, money } from '../parts/money.ts'
import type { SeenThing } from '../parts/shown.ts'
import type { AddedColumn, ListScreen, RowContext, WriteCell } from './list-screen.ts'

/** The cells of the added columns on a page, in their order. */
export const readAddedCells = (
  { added = [] }: ListScreen,
  things: readonly SeenThing[],
  { desk }: Call,
): Promise<readonly WriteCell[]> => Promise.all(added.map((column) => cellsOf(column, things, desk)))

async function cellsOf(column: AddedColumn, things: readonly SeenThing[], desk: Desk): Promise<WriteCell> {
  if (column.kind === 'sums') {
    const sumsOf = await column.read(things, desk)
    return (thing, { reader }) =>
      sumsOf(thing)
        .map(({ currency, amount }) => money(amount, currency).for(reader))
        .join('<br>')
  }
  const instantOf = await column.read(things, desk)
  return (thing, { time, reader }: RowContext) => {
    const at = instantOf(thing)
    return at === undefined ? '' : agoMarkup(at, time).for(reader)
  }
}

/** A column of a file. */
export interface AddedFileColumn {
  readonly name: string
  readonly head: string
  readonly after: string
  readonly field: NonNullable<ReturnType<ListedItems['fields']['get']>>
  /** The members of the rows of some things. */
  readonly read: (things: readonly SeenThing[]) => Promise<(thing: SeenThing) => { readonly [name: string]: unknown }>
}

/** The added columns of a file. Amounts are numbers, so there is a column for each currency. */
export async function addedFileColumns(
  { added = [] }: ListScreen,
  { desk, reader }: Call,
  isTyped: boolean,
  instantText: (at: string) => string,
): Promise<readonly AddedFileColumn[]> {
  const columns = added.map(async (column, at): Promise<readonly AddedFileColumn[]> => {
    const name = `+${at}`
    const head = wordsFor(column.head, reader)
    if (column.kind === 'sums') {
      const currencies = await column.currencies(desk)
      return currencies.map((currency) => sumColumn(column, name, head, currency, { desk, reader, isTyped }))
    }
    const read: AddedFileColumn['read'] = async (things) => {
      const instantOf = await column.read(things, desk)
      return (thing) => {
        const at = instantOf(thing)
        return { [name]: at === undefined ? null : instantText(at) }
      }
    }
    return [{ name, head, after: column.after, field: { kind: { name: 'instant' } }, read }]
  })
  return (await Promise.all(columns)).flat()
}

function sumColumn(
  { after, read }: Extract<AddedColumn, { readonly kind: 'sums' }>,
  column: string,
  head: string,
  currency: string,
  { desk, reader, isTyped }: { readonly desk: Desk; readonly reader: Reader; readonly isTyped: boolean },
): AddedFileColumn {
  const name = `${column} ${currency}`
  return {
    name,
    head: `${head}, ${currency}`,
    after,
    field: { kind: { name: 'amount' }, currencyIn: currency },
    async read(things) {
      const sumsOf = await read(things, desk)
      return (thing) => {
        const sum = sumsOf(thing).find((each) => each.currency === currency)
        if (sum === undefined) return { [name]: null }
        const text = isTyped ? sum.amount : plainDecimalText(amountText(sum.amount), decimalsOf(currency))(reader)
        return { [name]: text, [currency]: currency }
      }
    },
  }
}
