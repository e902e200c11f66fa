import { nullable } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { optional, required } from '../../values/members.ts'
import { assigned, internal, type ThingOf } from '../field.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import { defineManagedResource } from '../managed/managed-resource.ts'
import type { ManagedRefusal, ThingSince } from '../managed/refusal.ts'
import { actorName } from '../user/user.ts'
import { columnChoices } from './column-choices.ts'
import { foundMembers } from './found.ts'
import { noRows } from './import-counts.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** An import whose run ended without its result, such as with its process, has failed; it can be continued. */
const stages = ['checking', 'asking', 'ready', 'importing', 'done', 'undone', 'failed'] as const

/** A file to be imported, and what became of it, stored for a time. Its bytes are in a separate table. decisions/0051 */
export const upload = defineManagedResource({
  name: 'import',
  plural: 'imports',
  path: '/imports',
  key: 'id',
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
    /** The user who uploaded it; null in an open service, and for the command line. */
    owner: assigned(nullable(actorName)),
    /** Why the last run ended early. */
    fault: assigned(nullable(text({ min: 1, max: 64 }))),
    endsAt: internal(instant),
    /** The work that is under way, or was when it failed. */
    work: internal(nullable(choice(['uploading', 'checking', 'importing']))),
    /** How the file is read, as JSON text; null while it is uploaded. */
    matching: internal(nullable(text({ min: 1, max: 1_000_000 }))),
    /** The findings in the file, as members of the document. */
    found: internal(nullable(text({ min: 1, max: 1_000_000 }))),
    /** The last line that a run reached, and the bytes it had read. */
    upto: internal(count),
    position: internal(count),
  },
  unfiltered: ['size', 'isRunning', 'inserted', 'updated', 'unchanged', 'rejected', 'fault'],
  presented: foundMembers,
  roles: { reads: 'editor', writes: 'editor' },
  privacy: { owner: 'owner' },
  title: ({ name }) => ({ text: '{name}', with: { name } }),
})

export type Upload = ThingOf<typeof upload.fields>

/** Milliseconds for which an import is listed and can be undone. */
export const IMPORT_KEPT = 30 * 86_400_000

export const keptUntil = (now: number): string => new Date(now + IMPORT_KEPT).toISOString()

const on = upload.name

/** The facts once a file has arrived: when it is removed, and how it is read. */
interface KeptUpload {
  readonly id: string
  readonly endsAt: string
}

export interface MatchedUpload {
  readonly matching: string
  readonly found: string
  readonly size: number
  readonly endsAt: string
}

/** An import that is to be undone, and what keeps it from that; absent if it has nothing to undo. */
export interface UndoFacts extends Upload {
  readonly since?: readonly ThingSince[]
  readonly isTrimmed?: boolean
}

const underWay: ManagedRefusal = { code: 'import-under-way' }

const create = defineManaged({
  on,
  name: 'create',
  title: 'Upload a file to import',
  to: 'nothing',
  params: () => ({ resource: required(upload.fields.resource.kind), name: required(upload.fields.name.kind) }),
  isPrepared: true,
  apply: ({ owner }: Pick<Upload, 'owner'>, { values, prepared, now }): Upload => ({
    ...{ ...values, ...(prepared as KeptUpload), ...noRows, owner, createdAt: now },
    ...{ size: 0, stage: 'checking', work: 'uploading', isRunning: true, rejected: 0 },
    ...{ matching: null, found: null, upto: 0, position: 0, fault: null },
  }),
})

/** Sets how the file is read, and forgets earlier findings. */
const change = defineManaged({
  on,
  name: 'change',
  title: 'Say how a file is read',
  noun: 'matchings',
  params: () => ({
    columns: optional(columnChoices),
    create: optional(nullable(choice(['missing']))),
    badCells: optional(nullable(choice(['empty']))),
    encoding: optional(text({ min: 1, max: 40 })),
    delimiter: optional(text({ min: 1, max: 1 })),
  }),
  body: {
    name: 'ImportChange',
    examples: [{ columns: { Betrag: { field: 'price', decimal: ',' } }, create: 'missing' }],
    description: 'What is not sent stays. The file is checked again.',
  },
  isPrepared: true,
  // A check that is under way ends, and begins again.
  refused: ({ stage, work }: Upload) =>
    work === 'importing' || stage === 'done' || stage === 'undone' ? underWay : undefined,
  apply: (before: Upload, { prepared }): Upload => ({
    ...{ ...before, ...noRows, ...(prepared as MatchedUpload) },
    ...{ stage: 'checking', work: 'checking', isRunning: true, rejected: 0, fault: null },
  }),
})

const remove = defineManaged({
  on,
  name: 'remove',
  title: 'Remove an import',
  noun: 'removals',
  removes: true,
  params: () => ({}),
  refused: ({ isRunning }: Upload) => (isRunning ? underWay : undefined),
  apply: (before: Upload) => before,
})

/** All of it or nothing. */
const undo = defineManaged({
  on,
  name: 'undo',
  title: 'Undo an import',
  noun: 'undoings',
  params: () => ({}),
  refused({ stage, work, isRunning, since = [], isTrimmed = false }: UndoFacts) {
    if (isRunning) return underWay
    if (stage !== 'done' && work !== 'importing') return { code: 'nothing-to-undo' }
    if (since.length > 0) return { code: 'changed-since', things: since }
    return isTrimmed ? { code: 'before-trimmed' } : undefined
  },
  apply: ({ since: _since, isTrimmed: _isTrimmed, ...before }: UndoFacts): Upload => ({
    ...before,
    stage: 'undone',
    work: null,
  }),
  audit: { 'import-undone': { title: 'Import undone', of: ({ name }: Upload) => ({ detail: name || null }) } },
})

export const uploadOperations = { create, change, remove, undo } as const
