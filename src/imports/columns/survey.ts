import { isAmbiguous, type WrittenAmount, writtenAmount } from '../cells/amount-text.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import { isMoney, namedCurrencies } from '../cells/cell-reader.ts'
import { currenciesOf } from '../cells/currency-words.ts'
import { hasTwoDays, writtenDate } from '../cells/date-text.ts'
import { type AskedReading, type ColumnReading, dateOrders, decimals, type FileColumn } from '../cells/reading.ts'
import { currenciesIn } from './headings.ts'
import type { RowLayout } from './layout.ts'

/** The readings that columns decide themselves, and those that must be asked for. */
export interface DecidedColumns {
  readonly columns: readonly FileColumn[]
  readonly asked: readonly AskedReading[]
}

/** Looks at every row of a file: the whole column decides how it is read, and one that leaves a choice is asked about. */
export function columnSurvey(columns: readonly FileColumn[], layout: RowLayout) {
  const currencyAt = columns.findIndex(({ field }) => field !== null && field === layout.currency?.field)
  const surveys = columns.flatMap((column, at) => {
    const survey = surveyOf(column, layout)
    return survey === undefined ? [] : [{ at, survey }]
  })
  return {
    /** Whether the cells decide about anything. */
    isNeeded: surveys.length > 0,
    add(cells: readonly Cell[]): void {
      for (const { at, survey } of surveys) {
        const cell = cells[at] ?? ''
        if (!isBlank(cell)) survey.add(cell, isBlank(cells[currencyAt] ?? ''))
      }
    },
    decided(): DecidedColumns {
      const found = new Map(surveys.map(({ at, survey }) => [at, survey.decided()]))
      return {
        columns: columns.map((column, at) => {
          const reading = found.get(at)?.reading ?? {}
          return { ...column, reading: Object.keys(reading).length === 0 ? null : reading }
        }),
        asked: [...found.values()].flatMap(({ asked }) => asked),
      }
    },
  }
}

interface ColumnSurvey {
  /** `isAlone` if no other column says the currency of the row. */
  add(cell: Cell, isAlone: boolean): void
  decided(): { readonly reading: ColumnReading; readonly asked: readonly AskedReading[] }
}

function surveyOf({ heading, field, reading }: FileColumn, layout: RowLayout): ColumnSurvey | undefined {
  const kind = field === null ? undefined : layout.columns.get(field)?.kind
  if (kind !== undefined && isMoney(kind)) return amountSurvey(heading, reading ?? {}, layout.currency?.initial)
  if (kind?.name === 'amount') return numberSurvey(heading, reading ?? {})
  if (kind?.name === 'date') return dateSurvey(heading, reading ?? {})
  return field !== null && field === layout.currency?.field ? currencySurvey(heading, reading ?? {}) : undefined
}

function amountSurvey(heading: string, given: ColumnReading, initial: string | undefined): ColumnSurvey {
  const sign = alternatives(decimals)
  const currency = namedInCells(heading, given.currency, initial)
  return {
    add(cell, isAlone) {
      const written = typeof cell === 'string' ? writtenAmount(cell) : bare
      const named = written && namedCurrencies(written.words)
      if (written === undefined || named === undefined) return
      sign.add(written.as, isAmbiguous(written))
      if (isAlone) currency.add(named)
    },
    decided() {
      const decimal = sign.decided(heading, 'decimal', given.decimal)
      const money = currency.decided()
      return { reading: { ...decimal.reading, ...money.reading }, asked: [...decimal.asked, ...money.asked] }
    },
  }
}

function numberSurvey(heading: string, given: ColumnReading): ColumnSurvey {
  const sign = alternatives(decimals)
  return {
    add(cell) {
      const written = typeof cell === 'string' ? writtenAmount(cell) : bare
      if (written !== undefined) sign.add(written.as, isAmbiguous(written))
    },
    decided: () => sign.decided(heading, 'decimal', given.decimal),
  }
}

/** A number of a spreadsheet says nothing about signs. */
const bare: WrittenAmount = { as: { ',': '', '.': '' }, words: [], isNegative: false }

function dateSurvey(heading: string, given: ColumnReading): ColumnSurvey {
  const order = alternatives(dateOrders)
  return {
    add(cell) {
      const written = typeof cell === 'string' ? writtenDate(cell) : undefined
      if (written !== undefined) order.add(written, hasTwoDays(written))
    },
    decided: () => order.decided(heading, 'dates', given.dates),
  }
}

/** Collects which of two readings the cells of a column allow. */
function alternatives<const T extends string>(choices: readonly [T, T]) {
  /** The readings that some cell does not allow. */
  const excluded = new Set<T>()
  let isOpen = false
  return {
    add(as: { readonly [way in T]?: unknown }, hasTwo: boolean): void {
      isOpen ||= hasTwo
      for (const choice of choices) if (as[choice] === undefined) excluded.add(choice)
    },
    decided(column: string, about: keyof ColumnReading, given: T | undefined) {
      const allowed = choices.filter((choice) => !excluded.has(choice))
      const only = given ?? (allowed.length === 1 ? allowed[0] : undefined)
      if (only !== undefined) return { reading: { [about]: only } as ColumnReading, asked: [] }
      // Either every cell allows both, or one cell excludes what another needs.
      const isAsked = isOpen || allowed.length === 0
      return { reading: {}, asked: isAsked ? [{ column, about, choices }] : [] }
    },
  }
}

/** Collects the currencies that the cells of a column of amounts name. */
function namedInCells(column: string, given: string | undefined, initial: string | undefined) {
  const inHeading = initial === undefined ? [] : currenciesIn(column)
  const certain = new Set<string>()
  const shared = sharedSigns(inHeading)
  let isBare = false
  return {
    add(named: readonly string[]): void {
      if (named.length === 0) isBare = true
      else if (named.length > 1) shared.add(named)
      else for (const code of named) certain.add(code)
    },
    decided() {
      const currency = given ?? (inHeading.length === 1 ? inHeading[0] : undefined)
      if (currency !== undefined) return { reading: { currency }, asked: [] }
      // A bare number among those of another currency than the usual one is in either.
      const isOpen = shared.isAny() || (isBare && [...certain].some((code) => code !== initial))
      if (!isOpen || initial === undefined) return { reading: {}, asked: [] }
      const choices = shared.choices([...certain, ...(isBare && !shared.isAny() ? [initial] : [])])
      return { reading: {}, asked: [{ column, about: 'currency' as const, choices }] }
    },
  }
}

/** The column of currencies itself may have symbols that several share. */
function currencySurvey(column: string, { currency }: ColumnReading): ColumnSurvey {
  const shared = sharedSigns()
  return {
    add: (cell) => shared.add(currenciesOf(textOf(cell))),
    decided() {
      if (currency !== undefined) return { reading: { currency }, asked: [] }
      return { reading: {}, asked: shared.isAny() ? [{ column, about: 'currency', choices: shared.choices([]) }] : [] }
    },
  }
}

/** Collects the signs that several currencies share. */
function sharedSigns(first: readonly string[] = []) {
  const signs = new Map<string, readonly string[]>()
  const add = (currencies: readonly string[]): void => {
    if (currencies.length > 1) signs.set(currencies.join(' '), currencies)
  }
  add(first)
  return {
    add,
    isAny: () => signs.size > 0,
    /** The likeliest of each sign, then those that are there for certain, then all others that a sign may mean. */
    choices: (certain: readonly string[]): readonly string[] => {
      const all = [...signs.values()]
      return [...new Set([...all.flatMap(([likeliest]) => likeliest ?? []), ...certain, ...all.flat()])]
    },
  }
}
