import { type AmountInCell, cellReader, isMoney } from '../../../imports/cells/cell-reader.ts'
import { answerFaults, defaultFaults } from '../../../imports/columns/answer-faults.ts'
import { fieldsIn, layoutOf, type RowColumn } from '../../../imports/columns/layout.ts'
import type { GivenReading } from '../../../imports/read/examine.ts'
import type { Matching } from '../../../imports/read/matching.ts'
import { delimiters, encodings } from '../../../imports/read/recognise.ts'
import { laterTexts } from '../../../imports/rows/unknown-values.ts'
import { foundText, nothingFound } from '../../../imports/uploads/found.ts'
import { matchingOf } from '../../../imports/uploads/stored-matching.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { ColumnChoices } from '../../../model/nouns/imports/column-choices.ts'
import { keptUntil, type MatchedUpload, type Upload } from '../../../model/nouns/imports/upload.ts'
import { type Defaults, mergedAnswers, type ValueAnswers } from '../../../model/nouns/imports/value-answers.ts'
import { fileBounds } from '../../../values/bounds.ts'
import { type Fault, near, reason } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import type { Json } from '../../../values/json/json.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { forbidden, invalidBody, type Problem } from '../../contract/problems/problem.ts'
import { refusalProblem } from '../../contract/problems/refusals.ts'
import type { WriteResult } from '../../respond/answer-write.ts'
import { actorOf } from '../../write/intent.ts'
import { findImport, mayImport, startRun } from './addressed-import.ts'
import { guessMatching } from './guess-matching.ts'
import { keepAnswers, keptAnswers } from './kept-answers.ts'
import { showImport } from './run-imports.ts'

interface Choices {
  readonly columns?: ColumnChoices
  readonly values?: ValueAnswers
  readonly defaults?: Defaults
  readonly sheet?: string
  readonly headings?: number
  readonly keep?: 'all'
  readonly create?: 'missing' | null
  readonly badCells?: 'empty' | null
  readonly encoding?: string
  readonly delimiter?: string
}

type Prepared = { readonly prepared: MatchedUpload } | { readonly problem: Problem }

/** Applies what a person says about the file; if it is read differently, its columns are guessed again. */
export async function prepareChange(upload: Upload, sent: object, call: Call): Promise<Prepared> {
  const before = matchingOf(upload)
  const resource = mayImport(call).find(({ plural }) => plural === upload.resource)
  if (before === undefined || resource === undefined) {
    return { problem: refusalProblem({ code: 'not-ready', stage: upload.stage }, call.schema) }
  }
  const choices = withDefaultWords(sent as Choices, resource)
  // In an open service everybody may do everything.
  const isAdmin = call.role === null || call.role === 'admin'
  if (!isAdmin && (choices.keep === 'all' || laterTexts(choices.values).length > 0))
    return { problem: forbidden('admin', { actor: actorOf(call).actor, role: call.role ?? null }) }
  const shape = shapeIn(before, choices)
  if ('problem' in shape) return shape
  const read = isReadAnew(before, choices) ? await readAnew(upload, resource, shape.shape, call) : before
  if ('fault' in read) return { problem: invalidBody([placedIn(choices, read.fault)]) }
  const answered = chosen(read, withoutEarlier(choices, before, read), resource)
  if ('faults' in answered) return { problem: invalidBody(answered.faults) }
  const matching = withAnswers(answered, choices)
  if (JSON.stringify(matching.values ?? {}).length > fileBounds.answers)
    return {
      problem: invalidBody([{ code: 'too-long', with: { max: fileBounds.answers }, at: { pointer: '/values' } }]),
    }
  const { size } = upload
  const found = foundText(matching, nothingFound)
  return { prepared: { matching: JSON.stringify(matching), found, size, endsAt: keptUntil(Date.now()) } }
}

/** Other columns may have other answers from earlier files. */
async function readAnew(
  upload: Upload,
  resource: Resource,
  shape: GivenReading,
  call: Call,
): Promise<Matching | { readonly fault: Fault }> {
  const read = await guessMatching(call, upload, resource, shape)
  if ('fault' in read) return read
  const kept = await keptAnswers(read.columns, resource, upload.owner, call)
  return { ...read, values: mergedAnswers(kept, read.values) }
}

/** How the bytes of the file are read, as somebody says or as before. */
function shapeIn(
  { columns: _columns, headerAt: _headerAt, ...before }: Matching,
  choices: Choices,
): { readonly shape: GivenReading } | { readonly problem: Problem } {
  const encoding = encodings.find((each) => each === (choices.encoding ?? before.encoding))
  if (encoding === undefined) return wrong('/encoding', encodings)
  const { delimiter = before.delimiter, sheet = before.sheet, headings } = choices
  if (choices.delimiter !== undefined && !(delimiters as readonly string[]).includes(delimiter))
    return wrong('/delimiter', delimiters)
  // A caller who chooses the row of the headings also chooses the sheet that is shown.
  const isSheetChosen = before.isSheetChosen || choices.sheet !== undefined || headings !== undefined
  return { shape: { ...before, encoding, delimiter, sheet, isSheetChosen, headings } }
}

const isReadAnew = (before: Matching, { encoding, delimiter, sheet, headings }: Choices): boolean =>
  (encoding ?? before.encoding) !== before.encoding ||
  (delimiter ?? before.delimiter) !== before.delimiter ||
  (sheet !== undefined && (sheet !== before.sheet || before.isSheetChosen !== true)) ||
  (headings ?? before.headerAt) !== before.headerAt

/** A page sends texts, which count if they are no values themselves. */
function withDefaultWords(choices: Choices, resource: Resource): Choices {
  if (choices.defaults === undefined) return choices
  const { columns } = layoutOf(resource)
  const defaults = Object.entries(choices.defaults).map(([field, value]): [string, Json] => {
    const column = columns.get(field)
    if (column === undefined || typeof value !== 'string' || 'value' in column.kind.read(value)) return [field, value]
    return [field, wordIn(value, column)]
  })
  return { ...choices, defaults: Object.fromEntries(defaults) }
}

function wordIn(text: string, { kind, words }: RowColumn): Json {
  const read = cellReader(kind, null, { words })(text)
  if ('fault' in read) return text
  return kind.write(isMoney(kind) ? (read.value as AmountInCell).amount : read.value)
}

/** Answers about columns that only the earlier reading had say nothing: a page's form sends all of them. */
function withoutEarlier(choices: Choices, before: Matching, read: Matching): Choices {
  if (choices.columns === undefined || before === read) return choices
  const isEarlier = (heading: string): boolean =>
    before.columns.some((each) => each.heading === heading) && !read.columns.some((each) => each.heading === heading)
  const columns = Object.fromEntries(Object.entries(choices.columns).filter(([heading]) => !isEarlier(heading)))
  return { ...choices, columns }
}

/** A sheet or row that is not in the file is the fault of the choice. */
function placedIn({ headings, sheet }: Choices, fault: Fault): Fault {
  const wants = fault.with?.wants
  if (headings !== undefined && wants === 'headings') return { ...fault, at: { pointer: '/headings' } }
  return sheet !== undefined && wants === 'sheet' ? { ...fault, at: { pointer: '/sheet' } } : fault
}

/** Answers that are not sent stay. */
function withAnswers(matching: Matching, choices: Choices): Matching {
  const values = mergedAnswers(matching.values, choices.values)
  return {
    ...matching,
    create: choices.create === undefined ? matching.create : (choices.create ?? undefined),
    badCells: choices.badCells === undefined ? matching.badCells : (choices.badCells ?? undefined),
    ...(Object.keys(values).length > 0 && { values }),
    ...(choices.defaults !== undefined && { defaults: choices.defaults }),
    keep: choices.keep,
  }
}

const wrong = (pointer: string, values: readonly string[]): { readonly problem: Problem } => ({
  problem: invalidBody([{ code: 'not-one-of', with: { values }, at: { pointer } }]),
})

function chosen(
  before: Matching,
  { columns: said = {}, values, defaults = {} }: Choices,
  resource: Resource,
): Matching | { readonly faults: readonly Fault[] } {
  const headings = before.columns.map(({ heading }) => heading)
  const { parts = {}, ...layout } = layoutOf(resource)
  const fields = fieldsIn(layout)
  const unknownHeading = (pointer: string, heading: string): readonly Fault[] =>
    headings.includes(heading) ? [] : [{ ...reason('unknown', near(nearest(heading, headings))), at: { pointer } }]
  const faults = [
    ...Object.entries(said).flatMap(([heading, { field }]): readonly Fault[] => {
      const pointer = `/columns${pointerTo(heading)}`
      if (!headings.includes(heading)) return unknownHeading(pointer, heading)
      if (typeof field !== 'string' || fields.includes(field)) return []
      return [{ code: 'not-one-of', with: { values: fields }, at: { pointer: `${pointer}/field` } }]
    }),
    ...Object.keys(values ?? {}).flatMap((heading) => unknownHeading(`/values${pointerTo(heading)}`, heading)),
    ...answerFaults(values ?? {}, layout),
    ...defaultFaults(defaults, layout),
  ]
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

/** Checks the file again, as it is read now, and keeps what its values mean for the next file. */
export async function showChanged(upload: Upload, dryRun: boolean, call: Call): Promise<Omit<WriteResult, 'dryRun'>> {
  const found = dryRun ? undefined : await findImport(call)
  if (found !== undefined && 'upload' in found) {
    await keepAnswers(found.upload, found.resource, call)
    await startRun(found.upload, 'checking', found.resource, call)
  }
  return showImport(upload, dryRun, call)
}
