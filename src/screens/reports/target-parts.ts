import { say } from '../../languages/say.ts'
import { unitOf } from '../../values/kinds/money.ts'
import { daysBetween } from '../parts/moment.ts'
import { thousandthsOf } from '../parts/money.ts'
import type { Amount } from '../parts/shown.ts'
import {
  type CurrencySum,
  type ReportedSum,
  type Reporting,
  reportedSum,
  roundedQuotient,
} from '../reporting/reporting.ts'
import type { Days } from './days.ts'
import { also, type GroupAnswer, type Question, type ReportFilter } from './report.ts'

/** The targets that have one of the days. */
export const targetFilter = ({ days, person }: Pick<ReportFilter, 'days' | 'person'>): string =>
  `from.lte=${days.until}&to.gte=${days.from}${also('user', person)}`

export const targetQuestion = (filter: Pick<ReportFilter, 'days' | 'person'>): Question => ({
  title: say('Targets'),
  collection: 'targets',
  query: `${targetFilter(filter)}&group=user,from,to,currency,createdAt,id&measure=sum.amount`,
})

/** The sum of each person's targets within the days. */
export const targetSums = (answer: GroupAnswer, about: TargetsAbout): ReadonlyMap<string, ReportedSum> =>
  sumsOf(partsIn(answer, about), about)

/** The same of whole targets, of which the days may have a part only. */
export const wholeTargets = (answer: GroupAnswer, about: TargetsAbout): ReadonlyMap<string, ReportedSum> =>
  sumsOf(
    partsIn(answer, about)
      .filter(({ value }) => value > 0n)
      .map((part) => ({ ...part, value: part.whole })),
    about,
  )

interface TargetsAbout {
  readonly days: Days
  readonly reporting: Pick<Reporting, 'convert'>
}

const partsIn = (answer: GroupAnswer, { days }: TargetsAbout): readonly TargetPart[] =>
  targetParts(
    answer.map((group) => ({ ...group, amount: group['sum.amount'] }) as unknown as ShownTarget),
    days,
  )

function sumsOf(parts: readonly TargetPart[], { reporting }: TargetsAbout): ReadonlyMap<string, ReportedSum> {
  const byUser = Map.groupBy(parts, ({ user }) => user)
  return new Map([...byUser].map(([user, those]) => [user, reportedSum(those, reporting)]))
}

/** The part of a target that was won, in whole percent; undefined if an amount has no rate. */
export function percentOf(won: ReportedSum, target: ReportedSum): number | undefined {
  if (target.value === 0n || target.apart.length > 0 || won.apart.length > 0) return undefined
  return Number(roundedQuotient(won.value * 100n, target.value))
}

/** A target as its document shows it. */
export interface ShownTarget {
  readonly id: string
  readonly user: string
  /** The first day. */
  readonly from: string
  /** The last day. */
  readonly to: string
  readonly amount: Amount
  readonly currency: string
  readonly createdAt: string
}

export interface TargetPart extends CurrencySum {
  readonly user: string
  /** The amount of the whole target. */
  readonly whole: bigint
}

/**
 * The part of each target within some days: an equal share for each of its days. If targets of a user in one currency
 * overlap, the shortest one counts on a day, and of equally long ones the one created later. decisions/0050
 */
export function targetParts(targets: readonly ShownTarget[], days: Days): readonly TargetPart[] {
  const overlapping = Map.groupBy(targets, ({ user, currency }) => JSON.stringify([user, currency]))
  return [...overlapping.values()].flatMap((those) => {
    const take = daysToTake(days)
    const ranked = those.map((target) => ({ target, length: daysBetween(target.from, target.to) + 1 }))
    return ranked.toSorted(byPrecedence).map(({ target, length }) => {
      const { user, currency, amount } = target
      const unit = BigInt(unitOf(currency))
      const whole = thousandthsOf(amount)
      const share = whole * BigInt(take(target))
      return { user, currency, whole, value: roundedQuotient(share, BigInt(length) * unit) * unit }
    })
  })
}

interface RankedTarget {
  readonly target: ShownTarget
  /** The number of its days. */
  readonly length: number
}

const byPrecedence = (one: RankedTarget, other: RankedTarget): number =>
  one.length - other.length || (creationOf(one) > creationOf(other) ? -1 : 1)

const creationOf = ({ target: { createdAt, id } }: RankedTarget): string => createdAt + id

/** Counts the days of a target that no earlier call has counted. */
function daysToTake({ from, until }: Days): (target: ShownTarget) => number {
  const length = daysBetween(from, until) + 1
  // The next day that is not taken, from each day on.
  const free = Int32Array.from({ length: length + 1 }, (_, day) => day)
  const nextFree = (day: number): number => {
    let at = day
    while (free[at] !== at) at = free[at] = free[free[at] ?? length] ?? length
    return at
  }
  return (target) => {
    const last = Math.min(daysBetween(from, target.to), length - 1)
    let count = 0
    for (let day = nextFree(Math.max(daysBetween(from, target.from), 0)); day <= last; day = nextFree(day)) {
      free[day] = day + 1
      count++
    }
    return count
  }
}
