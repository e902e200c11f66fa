import { nullable } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { required } from '../../values/members.ts'
import { assigned, internal, type ThingOf } from '../field.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import { defineManagedResource } from '../managed/managed-resource.ts'
import { noRows } from './import-counts.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const stages = ['uploading', 'matching', 'checking', 'checked', 'importing', 'done'] as const

/** A file that was uploaded for an import, stored for a time. Its rows are in a separate table. decisions/0051 */
export const upload = defineManagedResource({
  name: 'upload',
  plural: 'imports',
  path: '/import',
  key: 'id',
  forPeople: true,
  fields: {
    id: assigned(uuid),
    /** The plural of the resource that it is imported into. */
    resource: assigned(text({ min: 1, max: 64 })),
    /** The file's name. */
    name: assigned(text({ min: 0, max: 200 })),
    /** In bytes. */
    size: assigned(count),
    stage: assigned(choice(stages)),
    /** Whether a run is active. */
    isRunning: assigned(boolean),
    inserted: assigned(count),
    updated: assigned(count),
    unchanged: assigned(count),
    rejected: assigned(count),
    createdAt: assigned(instant),
    endsAt: internal(instant),
    /** The name of the user who uploaded it; empty in an open service. */
    owner: internal(text({ min: 0, max: 200 })),
    /** How the file is read, as JSON text; null while it is uploaded. */
    matching: internal(nullable(text({ min: 1, max: 1_000_000 }))),
    /** The last line that a run reached, and the bytes it had read. */
    upto: internal(count),
    position: internal(count),
    /** Why the last run ended early. */
    fault: internal(nullable(text({ min: 1, max: 64 }))),
  },
  roles: { reads: 'editor', writes: 'editor' },
  privacy: { owner: 'owner', keepsFromAdmins: true },
  title: ({ name }) => ({ text: '{name}', with: { name } }),
})

export type Upload = ThingOf<typeof upload.fields>
export type ImportStage = Upload['stage']

const on = upload.name

/** The facts once a file has arrived: when it is removed, and how it is read. */
interface KeptUpload {
  readonly id: string
  readonly endsAt: string
}

export interface MatchedUpload {
  readonly matching: string
  readonly size: number
  readonly endsAt: string
}

const create = defineManaged({
  on,
  name: 'create',
  title: 'Upload a file to import',
  to: 'nothing',
  params: () => ({ resource: required(upload.fields.resource.kind), name: required(upload.fields.name.kind) }),
  isPrepared: true,
  apply: ({ owner }: Pick<Upload, 'owner'>, { values, prepared, now }): Upload => ({
    ...{ ...values, ...(prepared as KeptUpload), ...noRows, owner, createdAt: now },
    ...{
      size: 0,
      stage: 'uploading',
      isRunning: false,
      rejected: 0,
      matching: null,
      upto: 0,
      position: 0,
      fault: null,
    },
  }),
})

/** Sets how the file is read, and forgets earlier findings. */
const match = defineManaged({
  on,
  name: 'match',
  title: 'Say how a file is read',
  params: () => ({}),
  isPrepared: true,
  refused: ({ stage, isRunning }: Upload) =>
    isRunning || stage === 'importing' || stage === 'done' ? { code: 'import-under-way' } : undefined,
  apply: (before: Upload, { prepared }): Upload => ({ ...before, ...(prepared as MatchedUpload), stage: 'matching' }),
})

const remove = defineManaged({
  on,
  name: 'remove',
  title: 'Remove an upload',
  removes: true,
  params: () => ({}),
  refused: ({ isRunning }: Upload) => (isRunning ? { code: 'import-under-way' } : undefined),
  apply: (before: Upload) => before,
})

export const uploadOperations = { create, match, remove } as const
