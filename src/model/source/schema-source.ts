import type { AddedField } from './added-field.ts'
import type { PipelineSource } from './pipeline-source.ts'
import type { RoleHolder, RoleSource, TeamSource } from './rights-source.ts'

/**
 * The additions of a schema to the nouns of the source. Plain data: it crosses threads, and each builds its own schema.
 */
export interface SchemaSource {
  readonly version: number
  /** When the model was last changed; absent if it never was. */
  readonly changedAt?: string
  /** All that were ever added, retired ones included: a name is never used again. */
  readonly fields: readonly AddedField[]
  /** In their order. */
  readonly pipelines: readonly PipelineSource[]
  readonly teams: readonly TeamSource[]
  /** With those that there are from the beginning. */
  readonly roles: readonly RoleSource[]
  /** Every user, once there is a role that admins made; nobody before. */
  readonly holders: readonly RoleHolder[]
}
