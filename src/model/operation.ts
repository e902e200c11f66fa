import { currency as currencyCode } from '../values/codes.ts'
import type { Json } from '../values/kind.ts'
import {
  type Fault,
  type FurtherCheck,
  isObject,
  type Members,
  readMembers,
  type ValuesOf,
  writeMembers,
} from '../values/members.ts'
import { decimalsFault } from '../values/money.ts'
import type { Condition } from './deal/conditions.ts'
import type { Deal, Markings } from './deal/deal.ts'

export type Params = { readonly [name: string]: Json }

/** What a decision may know besides the deal and the parameters. */
export interface Circumstances {
  readonly now: string
  /** Which of the customers that were named exist. */
  readonly customers: ReadonlySet<number>
}

/** Members of a deal as a client wants them. */
export type Wanted = Partial<Deal>

/** The fields that an operation may set; revision and time of change are not its business. */
type Change = Partial<Omit<Deal, 'id' | 'createdAt' | 'updatedAt' | 'revision'>>

interface Declaration<N extends string, A extends string, M extends Members> {
  readonly name: N
  readonly title: string
  /** Irregular as language is, so they are written, never inflected. */
  readonly words: {
    readonly participles: readonly string[]
    readonly noun: string
    readonly action: A
    readonly event: `deal.${string}`
  }
  /** What it is done to: nothing yet, a live deal (the usual case) or a deleted one. */
  readonly on?: 'nothing' | 'deleted'
  readonly params: M
  /** Whole, valid parameters: they feed tests, documents and placeholders. */
  readonly examples: readonly [Params, ...Params[]]
  /** All must be met; the first that is not says why the operation is not allowed. */
  readonly allowed: readonly Condition[]
  /** The fields it changes, for a client that tries to set one directly. */
  readonly changes: readonly (keyof Deal)[]
  /** What an attribute update stands for, or nothing when it does not ask for this operation. */
  readonly fromAttributes?: (
    deal: Deal,
    wanted: Wanted,
  ) => { readonly params: { readonly [param: string]: unknown } } | { readonly faults: readonly Fault[] } | undefined
  /** The field that each parameter sets, so that a fault is shown where the client wrote it. */
  readonly sets?: { readonly [param: string]: keyof Deal }
  /** The fields it gives a fixed value, where attributes can stand for it. */
  readonly marks?: Partial<Pick<Deal, 'held'>>
  /** What is wrong with the parameters whatever the deal is like, beyond what their kinds say. */
  readonly check?: (params: ValuesOf<M>, now: string) => readonly Fault[]
  readonly apply: (deal: Deal, params: ValuesOf<M>, now: string) => Change | { readonly faults: readonly Fault[] }
}

export type Decision =
  | { readonly deal: Deal; readonly params: Params }
  | { readonly faults: readonly Fault[] }
  | { readonly notAllowed: string }

/** A declaration and what follows from it. */
export interface Operation<N extends string = string, A extends string = string, M extends Members = Members>
  extends Omit<Declaration<N, A, M>, 'apply' | 'check'> {
  readonly decide: (deal: Deal, rawParams: unknown, circumstances: Circumstances) => Decision
  /** The parameters in their one canonical spelling, defaults included; nothing when they are faulty. */
  readonly normalize: (rawParams: unknown) => Params | undefined
}

export function defineOperation<const N extends string, const A extends string, const M extends Members>(
  declaration: Declaration<N, A, M>,
): Operation<N, A, M> {
  const { params: members, allowed, check, apply } = declaration
  return {
    ...declaration,
    decide(deal, rawParams, { now, customers }) {
      const read = readMembers(members, rawParams, decimalsIn(currencyOf(deal, rawParams)))
      if ('faults' in read) return read
      const unknown = unknownCustomer(read.values, customers)
      const wrong = [...(unknown === undefined ? [] : [unknown]), ...(check?.(read.values, now) ?? [])]
      if (wrong.length > 0) return { faults: wrong }
      const reason = whyNot(allowed, deal, now)
      if (reason !== undefined) return { notAllowed: reason }
      const change = apply(deal, read.values, now)
      if ('faults' in change) return change
      return {
        deal: { ...deal, ...change, updatedAt: now, revision: deal.revision + 1 },
        params: writeMembers(members, read.values),
      }
    },
    normalize(rawParams) {
      const read = readMembers(members, rawParams)
      return 'values' in read ? writeMembers(members, read.values) : undefined
    },
  }
}

/** Says which amounts have more decimals than the currency; of an unknown one nothing can be said. */
const decimalsIn =
  (currency: string | undefined): FurtherCheck =>
  ({ name }, value) =>
    currency !== undefined && name === 'amount' && typeof value === 'number'
      ? decimalsFault(value, currency)
      : undefined

/** A creation may state another currency than the usual one. */
function currencyOf(deal: Deal, rawParams: unknown): string | undefined {
  if (!isObject(rawParams) || !Object.hasOwn(rawParams, 'currency')) return deal.currency
  const stated = currencyCode.read(rawParams.currency)
  return 'value' in stated ? stated.value : undefined
}

/** The first rule that the deal does not meet, in words. */
export function whyNot(allowed: readonly Condition[], deal: Markings, now: string): string | undefined {
  return allowed.find((condition) => !condition.meets(deal, now))?.otherwise(deal)
}

function unknownCustomer(params: object, customers: ReadonlySet<number>): Fault | undefined {
  const id = (params as { customerId?: number | null }).customerId
  if (id === undefined || id === null || customers.has(id)) return undefined
  return { pointer: '/customerId', detail: `names customer ${id}, and there is none` }
}
