import type { Schema } from '../../model/declaration/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'

/** The fault of a parameter that names no pipeline. */
export function pipelineFaults(asked: string | undefined, { schema }: { readonly schema: Schema }): readonly Fault[] {
  const names = schema.pipelines.map(({ name }) => name)
  if (asked === undefined || names.includes(asked)) return []
  return [{ ...reason('not-one-of', { values: names }), at: { parameter: 'pipeline' } }]
}

/** The pipeline in which a new deal begins, if the filters of a page leave one. */
export function newIn(filters: readonly Parameter[], { pipelines }: Schema): { readonly pipeline?: string } {
  const [asked, other] = filters.filter(({ name }) => name === 'pipeline')
  const isOne = other === undefined && pipelines.some(({ name, closing }) => name === asked?.value && !closing)
  return asked?.value !== undefined && isOne ? { pipeline: asked.value } : {}
}
