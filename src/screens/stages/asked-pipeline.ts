import type { Schema } from '../../model/schema.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'

/** The fault of a parameter that names no pipeline. */
export function pipelineFaults(asked: string | undefined, { schema }: { readonly schema: Schema }): readonly Fault[] {
  const names = schema.pipelines.map(({ name }) => name)
  if (asked === undefined || names.includes(asked)) return []
  return [{ ...reason('not-one-of', { values: names }), at: { parameter: 'pipeline' } }]
}
