import { fieldsIn, layoutOf } from '../../../imports/columns/layout.ts'
import type { Matching } from '../../../imports/read/matching.ts'
import { delimiters, encodings } from '../../../imports/read/recognise.ts'
import { foundText, nothingFound } from '../../../imports/uploads/found.ts'
import { matchingOf } from '../../../imports/uploads/stored-matching.ts'
import type { ColumnChoices } from '../../../model/imports/column-choices.ts'
import { keptUntil, type MatchedUpload, type Upload } from '../../../model/imports/upload.ts'
import type { Resource } from '../../../model/schema.ts'
import { type Fault, near, reason } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import { pointerTo } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'
import { invalidBody, type Problem, refusalProblem } from '../../contract/problems/problem.ts'
import type { WriteResult } from '../../respond/answer-write.ts'
import { findImport, mayImport, startRun } from './addressed-import.ts'
import { guessMatching } from './guess-matching.ts'
import { showImport } from './run-imports.ts'

interface Choices {
  readonly columns?: ColumnChoices
  readonly create?: 'missing' | null
  readonly badCells?: 'empty' | null
  readonly encoding?: string
  readonly delimiter?: string
}

/** Applies what a person says about the columns; if the file is read differently, its columns are guessed again. */
export async function prepareChange(
  upload: Upload,
  values: object,
  call: Call,
): Promise<{ readonly prepared: MatchedUpload } | { readonly problem: Problem }> {
  const before = matchingOf(upload)
  const resource = mayImport(call).find(({ plural }) => plural === upload.resource)
  if (before === undefined || resource === undefined) {
    return { problem: refusalProblem({ code: 'not-ready', stage: upload.stage }) }
  }
  const choices = values as Choices
  const encoding = encodings.find((each) => each === (choices.encoding ?? before.encoding))
  if (encoding === undefined) return wrong('/encoding', encodings)
  const { delimiter = before.delimiter } = choices
  if (!(delimiters as readonly string[]).includes(delimiter)) return wrong('/delimiter', delimiters)
  const isReadAnew = encoding !== before.encoding || delimiter !== before.delimiter
  const read = isReadAnew
    ? await guessMatching(call, upload, resource, { format: before.format, encoding, delimiter })
    : chosen(before, choices, resource)
  if ('fault' in read) return { problem: invalidBody([read.fault]) }
  if ('faults' in read) return { problem: invalidBody(read.faults) }
  const create = choices.create === undefined ? before.create : (choices.create ?? undefined)
  const badCells = choices.badCells === undefined ? before.badCells : (choices.badCells ?? undefined)
  const matching: Matching = { ...read, create, badCells }
  const { size } = upload
  const found = foundText(matching, nothingFound)
  return { prepared: { matching: JSON.stringify(matching), found, size, endsAt: keptUntil(Date.now()) } }
}

const wrong = (pointer: string, values: readonly string[]): { readonly problem: Problem } => ({
  problem: invalidBody([{ code: 'not-one-of', with: { values }, at: { pointer } }]),
})

function chosen(
  before: Matching,
  { columns: said = {} }: Choices,
  resource: Resource,
): Matching | { readonly faults: readonly Fault[] } {
  const headings = before.columns.map(({ heading }) => heading)
  const { parts = {}, ...layout } = layoutOf(resource)
  const fields = fieldsIn(layout)
  const faults = Object.entries(said).flatMap(([heading, { field }]): Fault[] => {
    const pointer = `/columns${pointerTo(heading)}`
    if (!headings.includes(heading))
      return [{ ...reason('unknown', near(nearest(heading, headings))), at: { pointer } }]
    if (typeof field !== 'string' || fields.includes(field)) return []
    return [{ code: 'not-one-of', with: { values: fields }, at: { pointer: `${pointer}/field` } }]
  })
  if (faults.length > 0) return { faults }
  const changed = before.columns.map((column) => {
    const { [column.heading]: choice } = said
    if (choice === undefined) return column
    const { field = column.field, ...answers } = choice
    // The cells of another field are read again.
    const reading = { ...(field === column.field && column.reading), ...answers }
    return { ...column, field, reading: Object.keys(reading).length === 0 ? null : reading }
  })
  // No field is assigned to two columns, unless their texts are parts of one: the first one has it.
  const isTaken = (at: number, field: string): boolean =>
    !Object.hasOwn(parts, field) && changed.slice(0, at).some((each) => each.field === field)
  const columns = changed.map((each, at) =>
    each.field !== null && isTaken(at, each.field) ? { ...each, field: null, reading: null } : each,
  )
  return { ...before, columns }
}

/** Checks the file again, as it is read now. */
export async function showChanged(upload: Upload, dryRun: boolean, call: Call): Promise<Omit<WriteResult, 'dryRun'>> {
  const found = dryRun ? undefined : await findImport(call)
  if (found !== undefined && 'upload' in found) await startRun(found.upload, 'checking', found.resource, call)
  return showImport(upload, dryRun, call)
}
