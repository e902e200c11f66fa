import type { Kind } from '../values/kinds/kind.ts'
import type { Members } from '../values/members.ts'
import type { SchemaSource } from './build/schema-source.ts'
import type { DeclaredManagedOperation } from './managed/managed-operation.ts'
import type { DeclaredManaged, ManagedTitle } from './managed/managed-resource.ts'
import type { AskedParams, Circumstances, Decision, DeclaredOperation, Params, Rule, UndoStep } from './operation.ts'
import type { DeclaredResource, Thing } from './resource.ts'

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
  /** Users, keys, sessions, webhooks, deliveries and the audit: in no door, no feed and no command. decisions/0033 */
  readonly managed: readonly ManagedResource[]
}

/** A resource of a schema, with its operations. */
export interface Resource extends DeclaredResource {
  readonly schema: Schema
  readonly operations: readonly Operation[]
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

/** A kind of thing that is managed, in a schema. */
export interface ManagedResource extends Omit<DeclaredManaged, 'kinds' | 'title'> {
  readonly schema: Schema
  readonly operations: readonly ManagedOperation[]
  readonly kinds: { readonly [field: string]: Kind<unknown> }
  title(thing: object): ManagedTitle
}

/** An operation on what is managed, in a schema. */
export interface ManagedOperation extends Omit<DeclaredManagedOperation, 'params'> {
  readonly params: Members
}
