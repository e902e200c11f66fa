import type { AddedField } from './added-field.ts'
import type { PipelineSource } from './pipeline-source.ts'
import type { RoleSource, TeamSource } from './rights-source.ts'

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
  /** Those that admins made. */
  readonly roles: readonly RoleSource[]
}
