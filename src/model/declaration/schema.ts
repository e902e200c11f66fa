import type { State } from '../../values/guard.ts'
import type { Members } from '../../values/members.ts'
import type { SchemaSource } from '../source/schema-source.ts'
import type { AskedParams, Circumstances, Decision, DeclaredOperation, Params, Rule, UndoStep } from './operation.ts'
import type { DeclaredResource, Thing, Titled } from './resource.ts'

export type { SchemaSource }

/**
 * All resources and operations as one value: the nouns of the source and the fields that were added at run time.
 * Everything compiled from it is a function of it, cached by `bySchema`. decisions/0057
 */
export interface Schema extends SchemaSource {
  readonly resources: readonly Resource[]
  readonly operations: readonly Operation[]
  readonly byName: ReadonlyMap<string, Resource>
  readonly byAction: ReadonlyMap<string, Operation>
  /**
   * The resources that the audit tells of: in no door, event and command. `resources` has all others, `byName` has both.
   * decisions/0033
   */
  readonly audited: readonly Resource[]
}

/** A resource of a schema, with its operations. */
export interface Resource extends Omit<DeclaredResource, 'title' | 'state'> {
  readonly schema: Schema
  readonly operations: readonly Operation[]
  readonly title?: (thing: object) => Titled
  readonly state?: (thing: object, known: unknown) => State | undefined
}

/** An operation on a resource of a schema. */
export interface Operation
  extends Omit<
    DeclaredOperation,
    'on' | 'params' | 'changes' | 'apply' | 'usual' | 'check' | 'allowed' | 'fromAttributes' | 'fromRow' | 'undo'
  > {
  readonly on: Resource
  readonly params: Members
  readonly changes: readonly string[]
  readonly undo?: (before: Params, params: Params) => readonly UndoStep[]
  readonly allowed: readonly Rule<Thing>[]
  readonly fromAttributes?: (thing: Thing, wanted: object) => AskedParams | undefined
  readonly fromRow?: (thing: Thing, wanted: object) => AskedParams | undefined
  /** Of a creation: the values of parameters that were not sent. */
  readonly usual?: (sent: { readonly [param: string]: unknown }) => Params
  readonly decide: (thing: Thing, rawParams: unknown, circumstances: Circumstances) => Decision
  /** The parameters in canonical form, defaults included; undefined if they are faulty. */
  readonly normalize: (rawParams: unknown) => Params | undefined
}
