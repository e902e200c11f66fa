import type { SchemaSource } from '../build/schema-source.ts'
import { valueIn } from '../operation.ts'
import type { EntryRefusal } from '../perform/entry-refusal.ts'
import { type DealPlace, pipelineNamed, stageNamed } from './place.ts'

/** Why a deal may not enter the stage where a change leads it; undefined if it may, or was there before. */
export function entryRefusal(
  before: DealPlace | undefined,
  after: DealPlace & { readonly id: string },
  { pipelines }: SchemaSource,
): EntryRefusal | undefined {
  const { id, pipeline, stage } = after
  if (before?.pipeline === pipeline && before.stage === stage) return undefined
  const entered = pipelineNamed(pipelines, pipeline)
  const found = stageNamed(entered, stage)
  const place = { resource: 'deal', id, pipeline, stage }
  if (found?.closing || (entered?.closing && before?.pipeline !== pipeline)) return { code: 'closing', ...place }
  const fields = (found?.requires ?? []).filter((field) => isEmpty(valueIn(after, field)))
  return fields.length === 0 ? undefined : { code: 'stage-requires', ...place, fields }
}

/** Nothing, a blank text or no choices; 0 and false are values. A field that there is no longer requires nothing. */
function isEmpty(value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true
  return typeof value === 'string' && value.trim() === ''
}
