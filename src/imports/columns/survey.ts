import type { ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { isAmbiguous, type WrittenAmount, writtenAmount } from '../cells/amount-text.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import { isMoney, namedCurrencies } from '../cells/cell-reader.ts'
import { currenciesOf } from '../cells/currency-words.ts'
import { hasTwoDays, writtenDate, writtenInstant } from '../cells/date-text.ts'
import {
  type AskedAbout,
  type AskedReading,
  type ColumnReading,
  dateOrders,
  decimals,
  type FileColumn,
} from '../cells/reading.ts'
import { titlesIn } from '../cells/spoken.ts'
import { unitIn } from '../cells/units.ts'
import { currenciesIn } from './headings.ts'
import type { RowLayout } from './layout.ts'
import { isTotals } from './totals-row.ts'
import { type FoundValue, valueSurvey } from './value-survey.ts'

/** The readings that columns decide themselves, those that must be asked for, and the values that nobody knows. */
export interface DecidedColumns {
  readonly columns: readonly FileColumn[]
  readonly asked: readonly AskedReading[]
  readonly values: readonly FoundValue[]
}

/** Looks at every row of a file: the whole column decides how it is read, and one that leaves a choice is asked about. */
export function columnSurvey(columns: readonly FileColumn[], layout: RowLayout, answers?: ValueAnswers) {
  const currencyAt = columns.findIndex(({ field }) => field !== null && field === layout.currency?.field)
  const surveys = columns.flatMap((column, at) => {
    const survey = surveyOf(column, layout)
    return survey === undefined ? [] : [{ at, survey }]
  })
  const values = valueSurvey(columns, layout, answers)
  return {
    /** Whether the cells decide about anything. */
    isNeeded: surveys.length > 0 || values.isNeeded,
    add(cells: readonly Cell[]): void {
      if (isTotals(cells)) return
      for (const { at, survey } of surveys) {
        const cell = cells[at] ?? ''
        if (!isBlank(cell)) survey.add(cell, isBlank(cells[currencyAt] ?? ''))
      }
      values.add(cells)
    },
    decided(): DecidedColumns {
      const found = new Map(surveys.map(({ at, survey }) => [at, survey.decided()]))
      return {
        columns: columns.map((column, at) => {
          const reading = found.get(at)?.reading ?? {}
          return { ...column, reading: Object.keys(reading).length === 0 ? null : reading }
        }),
        asked: [...found.values()].flatMap(({ asked }) => asked),
        values: values.found(),
      }
    },
  }
}

interface Decided {
  readonly reading: ColumnReading
  readonly asked: readonly AskedReading[]
}

interface ColumnSurvey {
  /** `isAlone` if no other column says the currency of the row. */
  add(cell: Cell, isAlone: boolean): void
  decided(): Decided
}

function surveyOf(column: FileColumn, layout: RowLayout): ColumnSurvey | undefined {
  const { heading, field, reading } = column
  const kind = field === null ? undefined : layout.columns.get(field)?.kind
  if (field === null || kind === undefined) return undefined
  const given = reading ?? {}
  const unit = unitDecided(column, kind)
  if (isMoney(kind)) return withUnit(amountSurvey(heading, given, layout.currency?.initial), unit)
  if (kind.name === 'amount') return withUnit(numberSurvey(heading, given), unit)
  if (kind.name === 'integer') return unit && withUnit({ add: () => {}, decided: () => undecided }, unit)
  // The time at which a thing was created counts for new ones alone, and then as text.
  if (kind.name === 'date' || (kind.name === 'instant' && !layout.columns.get(field)?.optional))
    return dateSurvey(heading, given)
  return field === layout.currency?.field ? currencySurvey(heading, given) : undefined
}

const undecided: Decided = { reading: {}, asked: [] }

/** The unit that a heading names, unless it is the title of the field itself. */
function unitDecided({ heading, field, reading }: FileColumn, kind: Kind<unknown>): Decided | undefined {
  if (reading?.unit !== undefined) return { reading: { unit: reading.unit }, asked: [] }
  const isTitle = heading === field || (kind.titled !== undefined && titlesIn(kind.titled).includes(heading))
  const unit = isTitle ? undefined : unitIn(heading)
  return unit && { reading: {}, asked: [{ column: heading, about: 'unit', choices: unit.factors }] }
}

const withUnit = (survey: ColumnSurvey, unit: Decided | undefined): ColumnSurvey => ({
  add: survey.add,
  decided() {
    const { reading, asked } = survey.decided()
    return unit === undefined
      ? { reading, asked }
      : { reading: { ...reading, ...unit.reading }, asked: [...asked, ...unit.asked] }
  },
})

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
      const written = typeof cell === 'string' ? (writtenDate(cell) ?? writtenInstant(cell)?.date) : undefined
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
    decided(column: string, about: AskedAbout, given: T | undefined): Decided {
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
    decided(): Decided {
      // An answer about a symbol says nothing about numbers without one: these are in the usual currency.
      const isMixed = shared.isAny() && isBare && inHeading.length === 0 && initial !== undefined
      const isUnknown = [...certain].some((code) => code !== initial)
      const bare: ColumnReading = isMixed ? { bare: isUnknown ? null : initial } : {}
      const currency = given ?? (inHeading.length === 1 ? inHeading[0] : undefined)
      if (currency !== undefined) return { reading: { currency, ...bare }, asked: [] }
      // A bare number among those of another currency than the usual one is in either.
      const isOpen = shared.isAny() || (isBare && isUnknown)
      if (!isOpen || initial === undefined) return { reading: {}, asked: [] }
      const choices = shared.choices([...certain, ...(isBare && !shared.isAny() ? [initial] : [])])
      return { reading: bare, asked: [{ column, about: 'currency', choices }] }
    },
  }
}

/** The column of currencies itself may have symbols that several share. */
function currencySurvey(column: string, { currency }: ColumnReading): ColumnSurvey {
  const shared = sharedSigns()
  return {
    add: (cell) => shared.add(currenciesOf(textOf(cell))),
    decided(): Decided {
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
