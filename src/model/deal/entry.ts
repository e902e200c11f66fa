import { isOwn, ownField } from '../../values/json/own.ts'
import type { SchemaSource } from '../build/schema-source.ts'
import { valueIn } from '../operation.ts'
import type { EntryRefusal } from '../perform/entry-refusal.ts'
import { type DealPlace, pipelineNamed, stageNamed } from './place.ts'

/** Why a deal may not enter the stage where a change leads it; undefined if it may, or was there before. */
export function entryRefusal(
  before: DealPlace | undefined,
  after: DealPlace & { readonly id: string },
  { pipelines, fields: added }: SchemaSource,
): EntryRefusal | undefined {
  const { id, pipeline, stage } = after
  if (before?.pipeline === pipeline && before.stage === stage) return undefined
  const entered = pipelineNamed(pipelines, pipeline)
  const found = stageNamed(entered, stage)
  const place = { resource: 'deal', id, pipeline, stage }
  if (found?.closing || (entered?.closing && before?.pipeline !== pipeline)) return { code: 'closing', ...place }
  const fields = (found?.requires ?? []).filter((field) => isAsked(field, added) && isEmpty(valueIn(after, field)))
  return fields.length === 0 ? undefined : { code: 'stage-requires', ...place, fields }
}

/** A retired field is not: nobody could set it. */
const isAsked = (field: string, added: SchemaSource['fields']): boolean =>
  !isOwn(field) ||
  added.some(({ on, name, retiredAt = null }) => on === 'deal' && ownField(name) === field && retiredAt === null)

/** Nothing, a blank text or no choices; 0 and false are values. */
function isEmpty(value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true
  return typeof value === 'string' && value.trim() === ''
}
