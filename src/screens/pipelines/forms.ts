import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Pipeline } from '../../model/nouns/pipeline/pipeline.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { StageSource } from '../../model/source/pipeline-source.ts'
import type { FieldChoice, FormField, FormRow } from '../../representations/document.ts'
import { BETWEEN } from '../../values/kinds/choices.ts'
import { furtherTitles, inOtherLanguages, titleFields } from '../forms/title-fields.ts'
import { fieldText } from '../list/columns.ts'
import { titleOf } from '../stages/stages.ts'
import type { EditedThing } from '../thing/thing-screen.ts'

const follows = { field: 'title', as: 'slug' } as const
const NEW_STAGES = 5
const MORE_STAGES = 2
const removed = say('Remove')

/** The fields of the form for a new pipeline. */
export const pipelineCreation = (
  fields: readonly FormField[],
  { resource: { schema } }: Pick<EditedThing, 'resource'>,
): readonly FormField[] => inOrder(fields).flatMap((field) => withRows(field, newRows(0, NEW_STAGES, schema), '', {}))

/** Those of the form that changes one. */
export const pipelineChange = (
  fields: readonly FormField[],
  { titles, stages, lostReasons, default: isDefault }: Pipeline,
  schema: Schema,
): readonly FormField[] => {
  const rows = [
    ...stages.map((stage, at) => stageRow(stage, at, stages, schema)),
    ...newRows(stages.length, MORE_STAGES, schema),
  ]
  // Another one becomes the default instead.
  const shown = inOrder(fields).filter(({ name }) => name !== 'default' || !isDefault)
  return shown.flatMap((field) => withRows(field, rows, lostReasons.join('\n'), titles))
}

const order = ['title', 'name', 'default', 'stages', 'lostReasons', 'titles']

/** Without its place among the others, which their list changes. */
const inOrder = (fields: readonly FormField[]): readonly FormField[] =>
  order.flatMap((name) => fields.filter((field) => field.name === name))

function withRows(
  field: FormField,
  rows: readonly FormRow[],
  reasons: string,
  titles: Pipeline['titles'],
): FormField | readonly FormField[] {
  switch (field.name) {
    case 'titles':
      return furtherTitles(field.name, titles)
    case 'name':
      return { ...field, note: say('For programs, such as renewals. It never changes.'), follows }
    case 'stages':
      return { name: field.name, label: field.label, schema: {}, rows }
    case 'lostReasons': {
      const { value: _value, placeholder: _placeholder, ...rest } = field
      const schema = { type: 'string', maxLength: 100_000 }
      return { ...rest, schema, note: say('One in each line; offered when a deal is lost.'), value: reasons }
    }
    default:
      return field
  }
}

const newRows = (from: number, count: number, schema: Schema): readonly FormRow[] =>
  Array.from({ length: count }, (_, at) => stageRow(undefined, from + at, [], schema))

function stageRow(stage: StageSource | undefined, at: number, stages: readonly StageSource[], schema: Schema): FormRow {
  const name = `stages/${at}`
  const common: readonly FormField[] = [
    {
      ...{ name: `${name}/title`, label: say('Title'), required: stage !== undefined },
      schema: { type: 'string', maxLength: 200 },
      ...(stage && { value: stage.title }),
    },
    ...titleFields(`${name}/titles`, stage?.titles).map((each) => ({ ...each, fold: inOtherLanguages })),
    {
      ...{ name: `${name}/likelihood`, label: say('Likelihood'), required: false, unit: '%' },
      schema: { type: 'integer', minimum: 0, maximum: 100 },
      ...(stage && { value: String(stage.likelihood) }),
    },
    {
      ...{ name: `${name}/staleAfter`, label: say('Days until stale'), required: false },
      schema: { type: 'integer', minimum: 1, maximum: 3650 },
      ...(stage && stage.staleAfter !== null && { value: String(stage.staleAfter) }),
    },
    {
      ...{ name: `${name}/requires`, label: say('Required fields'), schema: {}, required: false },
      ...{ several: true, isFolded: true, choices: requirable(schema, stage) },
      ...(stage && { value: stage.requires.join(BETWEEN) }),
    },
  ]
  if (stage === undefined) return { name, fields: common }
  const fixed: FormField = { name: `${name}/name`, label: say('Name'), schema: {}, value: stage.name, isHidden: true }
  return {
    name,
    text: titleOf(stage),
    fields: [fixed, ...common, ...(stages.length > 1 ? removal(name, stage, stages) : [])],
  }
}

/** A stage goes, and its deals with it. */
const removal = (name: string, stage: StageSource, stages: readonly StageSource[]): readonly FormField[] => [
  {
    ...{ name: `${name}/_remove`, label: say('Remove'), schema: {}, fold: removed },
    ...{ several: true, choices: [{ value: 'true', text: say('Remove this stage') }] },
  },
  {
    ...{ name: `moveTo/${stage.name}`, label: say('Its deals move to'), schema: {}, fold: removed },
    choices: stages
      .filter((each) => each !== stage && !each.closing)
      .map((each) => ({ value: each.name, text: titleOf(each) })),
    nothing: say('nowhere: it has none'),
  },
]

/** The fields of a deal and of what it refers to that can be empty, and those that the stage requires already. */
function requirable(schema: Schema, stage: StageSource | undefined): readonly FieldChoice[] {
  const deal: Resource = resourceNamed(schema, 'deal')
  const related = deal.references.flatMap(({ name, to }) =>
    emptiable(resourceNamed(schema, to)).map((field) => `${name}.${field}`),
  )
  const all = [...new Set([...emptiable(deal), ...related, ...(stage?.requires ?? [])])]
  return all.map((name) => ({ value: name, text: requiredText(schema, name) }))
}

const emptiable = ({ names, fields }: Resource): readonly string[] =>
  names.filter((name) => fields[name]?.by === 'client' && (fields[name].kind.nullable || name === 'description'))

/** A field that a stage requires. */
export function requiredText(schema: Schema, field: string): Text {
  const deal: Resource = resourceNamed(schema, 'deal')
  const through = deal.references.find(({ name }) => field.startsWith(`${name}.`))
  if (through === undefined) return fieldText(deal, field)
  const of = resourceNamed(deal.schema, through.to)
  const what = fieldText(of, field.slice(through.name.length + 1))
  return say('{about}: {what}', { about: fieldText(deal, through.field), what })
}
