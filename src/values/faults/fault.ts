import type { FactName, FaultCode } from './fault-codes.ts'

/** Why something is refused: a code and its facts. `languages` makes the sentence. */
export type Reason = {
  readonly code: FaultCode
  readonly with?: Facts
}

export type Facts = { readonly [name: string]: Fact | undefined }
/** Plain data, possibly another reason. */
export type Fact = null | boolean | number | string | readonly Fact[] | Facts

/** Where a fault is, as the client sent it. */
export type Place = {
  /** An RFC 6901 JSON pointer into the body, or into the parameter's value where that is JSON. */
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
}

export type Fault = Reason & {
  readonly at: Place
  /** The number of further faults of this kind, which are not listed. */
  readonly more?: number
}

/** The facts that a code may have. */
type FactsOf<C extends FaultCode> = { readonly [N in FactName<C>]?: Fact }

export const reason = <C extends FaultCode>(code: C, facts?: FactsOf<C>): Reason =>
  facts === undefined ? { code } : { code, with: facts }

/** The same fault inside the value at a pointer. */
export const within = (pointer: string, inner: Fault): Fault => ({
  ...inner,
  at: { ...inner.at, pointer: pointer + (inner.at.pointer ?? '') },
})

/** A reason as the result of reading a value. */
export const fault = <C extends FaultCode>(code: C, facts?: FactsOf<C>): { readonly fault: Reason } => ({
  fault: reason(code, facts),
})

export const isReason = (fact: Fact | undefined): fact is Fact & Reason =>
  typeof fact === 'object' && fact !== null && 'code' in fact && typeof fact.code === 'string'

/** The fact about an unknown word: the nearest known one. */
export const near = (word: string | undefined): Facts | undefined => (word === undefined ? undefined : { near: word })
