import type { customerOperations } from '../model/customer/operations.ts'
import type { dealOperations } from '../model/deal/operations.ts'
import type { rateOperations } from '../model/rate/operations.ts'
import type { taskOperations } from '../model/task/operations.ts'
import type { SentOf } from '../values/members.ts'
import type { Command, CustomerItem, DealItem, ProblemDocument, Rate, Task } from './documents.ts'

// Many commands at once, derived from the operations. Nothing here is there at run time.

/** Names the thing of an earlier command by its index. */
export type Place = `$${number}`

interface Declared {
  readonly deal: (typeof dealOperations)[number]
  readonly customer: (typeof customerOperations)[number]
  readonly task: (typeof taskOperations)[number]
  readonly rate: (typeof rateOperations)[number]
}

interface Ids {
  readonly deal: string
  readonly customer: number | Place
  readonly task: string
  readonly rate: string
}

type Members<O> = O extends { readonly params: infer M } ? SentOf<M> : never
/** A parameter that is an id may name an earlier command. */
type Sent<P> = { readonly [N in keyof P]: N extends `${string}Id` ? P[N] | Place : P[N] }
type ParamsIn<P> = Record<never, never> extends P ? { readonly params?: Sent<P> } : { readonly params: Sent<P> }

type CommandOf<N extends keyof Declared, O> = O extends { readonly words: { readonly action: infer A } }
  ? { readonly id?: string; readonly action: A; readonly revision?: number } & ParamsIn<Members<O>> & {
        readonly [K in N]?: Ids[N]
      }
  : never

export type BatchCommand = { readonly [N in keyof Declared]: CommandOf<N, Declared[N]> }[keyof Declared]

export interface BatchOptions {
  /** Only try: what would result, and nothing is stored. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** All take effect in one commit, or none and the call throws; otherwise each for itself. */
  readonly atomic?: boolean
  /** Command n has the id `commandId.n`; made up otherwise. */
  readonly commandId?: string
}

export interface BatchResult {
  readonly index: number
  readonly status: 'applied' | 'rejected' | 'not-tried'
  readonly deal?: DealItem
  readonly customer?: CustomerItem
  readonly task?: Omit<Task, 'links'>
  readonly rate?: Omit<Rate, 'links'>
  readonly command?: Omit<Command, 'links'>
  readonly problem?: ProblemDocument
  /** The refused command that it names. */
  readonly dependsOn?: number
}
