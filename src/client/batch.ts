import type { Declared, Item, Noun } from './declared.ts'
import type { Command, ProblemDocument } from './documents.ts'

// Many commands at once, derived from the operations. Nothing here is there at run time.

/** Names the thing of an earlier command by its index. */
export type Place = `$${number}`

type ParamsIn<P> = Record<never, never> extends P ? { readonly params?: P } : { readonly params: P }

type CommandOf<N extends Noun, O> = O extends { readonly action: infer A; readonly params: infer P }
  ? { readonly id?: string; readonly action: A; readonly revision?: number } & ParamsIn<P> & {
        readonly [K in N]?: Item<N>['id'] | Place
      }
  : never

export type BatchCommand = {
  readonly [N in Noun]: CommandOf<N, Declared[N]['operations'][keyof Declared[N]['operations']]>
}[Noun]

export interface BatchOptions {
  /** Only try: what would result, and nothing is stored. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** All take effect in one commit, or none and the call throws; otherwise each for itself. */
  readonly atomic?: boolean
  /** Command n has the id `commandId.n`; made up otherwise. */
  readonly commandId?: string
}

/** The thing after a command is under the name of its resource. */
type Results = { readonly [N in Noun]?: Item<N> }

export interface BatchResult extends Results {
  readonly index: number
  readonly status: 'applied' | 'rejected' | 'not-tried'
  readonly command?: Omit<Command, 'links'>
  readonly problem?: ProblemDocument
  /** The refused command that it names. */
  readonly dependsOn?: number
}
