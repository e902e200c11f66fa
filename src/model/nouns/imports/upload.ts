import { nullable } from '../../../values/kinds/kind.ts'
import { boolean, integer } from '../../../values/kinds/number.ts'
import { choice, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { optional, required } from '../../../values/members.ts'
import { assigned, internal, type ThingOf } from '../../declaration/field.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import type { ImportRefusal, ThingSince } from '../../declaration/refusal.ts'
import { defineResource } from '../../declaration/resource.ts'
import { actorName } from '../user/user.ts'
import { columnChoices } from './column-choices.ts'
import { foundMembers } from './found.ts'
import { noRows } from './import-counts.ts'
import { defaultValues, valueAnswers } from './value-answers.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** An import whose run ended without its result, such as with its process, has failed; it can be continued. */
const stages = ['checking', 'asking', 'ready', 'importing', 'done', 'undone', 'failed'] as const

/** A file to be imported, and what became of it, stored for a time. Its bytes are in a separate table. decisions/0051 */
export const upload = defineResource({
  feed: 'audit',
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
  state: () => undefined,
  title: ({ name }) => ({ text: '{name}', with: { name } }),
})

export type Upload = ThingOf<typeof upload.fields>

/** Milliseconds for which an import is listed and can be undone. */
export const IMPORT_KEPT = 30 * 86_400_000

export const keptUntil = (now: number): string => new Date(now + IMPORT_KEPT).toISOString()

const on = upload

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

/** The facts that keep an import from being undone; absent if it has nothing to undo. */
export interface UndoFacts {
  readonly since?: readonly ThingSince[]
  readonly isTrimmed?: boolean
}

const underWay: ImportRefusal = { code: 'import-under-way' }

const create = defineAudited({
  on,
  name: 'create',
  title: 'Upload a file to import',
  to: 'nothing',
  params: () => ({ resource: required(upload.fields.resource.kind), name: required(upload.fields.name.kind) }),
  prepares: true,
  apply: (_blank, fields, _now, { prepared }: DecidingFacts<object, unknown, KeptUpload>) => ({
    ...{ ...fields, ...prepared, ...noRows, size: 0, stage: 'checking' as const, work: 'uploading' as const },
    ...{ isRunning: true, rejected: 0, matching: null, found: null, upto: 0, position: 0, fault: null },
  }),
})

/** Sets how the file is read, and forgets earlier findings. */
const change = defineAudited({
  on,
  name: 'change',
  title: 'Say how a file is read',
  noun: 'matchings',
  params: () => ({
    columns: optional(columnChoices),
    create: optional(nullable(choice(['missing']))),
    badCells: optional(nullable(choice(['empty']))),
    values: optional(valueAnswers),
    defaults: optional(defaultValues),
    sheet: optional(text({ min: 1, max: 255 })),
    headings: optional(integer({ min: 1, max: 1_048_576 })),
    keep: optional(choice(['all'])),
    encoding: optional(text({ min: 1, max: 40 })),
    delimiter: optional(text({ min: 1, max: 1 })),
  }),
  body: {
    name: 'ImportChange',
    examples: [
      { columns: { Betrag: { field: 'price', decimal: ',' } }, create: 'missing' },
      {
        values: { Phase: { 'Closed Won': { status: 'completed' }, 'Proposal Made': { stage: 'proposal' } } },
        defaults: { price: 0, currency: 'CHF' },
      },
      { sheet: 'Deals 2026', headings: 4 },
    ],
    description: 'What is not sent stays. The file is checked again.',
  },
  prepares: true,
  // A check that is under way ends, and begins again.
  apply({ stage, work }, _params, _now, { prepared }: DecidingFacts<object, unknown, MatchedUpload>) {
    if (work === 'importing' || stage === 'done' || stage === 'undone') return { refused: underWay }
    const again = { stage: 'checking', work: 'checking', isRunning: true, rejected: 0, fault: null } as const
    return { ...noRows, ...prepared, ...again }
  },
})

const remove = defineAudited({
  on,
  name: 'remove',
  title: 'Remove an import',
  noun: 'removals',
  removes: true,
  params: () => ({}),
  apply: ({ isRunning }) => (isRunning ? { refused: underWay } : UNCHANGED),
})

const UNCHANGED: object = {}

/** All of it or nothing. */
const undo = defineAudited({
  on,
  name: 'undo',
  title: 'Undo an import',
  noun: 'undoings',
  params: () => ({}),
  apply({ stage, work, isRunning }, _params, _now, { known }: DecidingFacts<object, UndoFacts>) {
    const { since = [], isTrimmed = false } = known
    if (isRunning) return { refused: underWay }
    if (stage !== 'done' && work !== 'importing') return { refused: { code: 'nothing-to-undo' } as const }
    if (since.length > 0) return { refused: { code: 'changed-since', things: since } as const }
    if (isTrimmed) return { refused: { code: 'before-trimmed' } as const }
    return { stage: 'undone' as const, work: null }
  },
  audit: { 'import-undone': { title: 'Import undone', of: ({ name }) => ({ detail: name || null }) } },
})

export const uploadOperations = [create, change, remove, undo] as const
