import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { extensible, type OwnField } from '../../model/nouns/field/field.ts'
import type { AddedField } from '../../model/source/added-field.ts'
import { type AddedChoice, type AddedOptions, addedKind, kindsThatCanBe } from '../../model/source/added-kinds.ts'
import type { FormField, FormRow } from '../../representations/document.ts'
import { titleText } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { furtherTitles, inOtherLanguages, titleFields } from '../forms/title-fields.ts'
import type { EditedThing } from '../thing/thing-screen.ts'

/** The fields of the form for a new field: its choices are lines. Those of other kinds than the chosen one are hidden. */
export const fieldCreation = (
  fields: readonly FormField[],
  { resource: { schema } }: Pick<EditedThing, 'resource'>,
): readonly FormField[] =>
  inOrder(fields).flatMap((field) => {
    if (field.name === 'titles') return furtherTitles(field.name)
    if (field.name === 'options') return newOptions
    const kinds = kindsThat(field.name)
    return [{ ...withNote(field, schema.fields), ...(kinds && { onlyFor: { field: 'kind', values: kinds } }) }]
  })

/** The kinds of fields that can be so, if not all can. */
const kindsThat = (name: string): readonly string[] | undefined =>
  name === 'unique' || name === 'searched' || name === 'indexed' ? kindsThatCanBe(name) : undefined

/** Those of the form that changes a field: its choices are rows. */
export const fieldChange = (
  fields: readonly FormField[],
  field: OwnField,
  { fields: all }: Schema,
): readonly FormField[] =>
  inOrder(fields).flatMap((each) => {
    if (each.name === 'titles') return furtherTitles(each.name, field.titles)
    // Each row of a choice says what becomes of its things.
    if (each.name === 'replaceBy' || kindsThat(each.name)?.includes(field.kind) === false) return []
    return each.name === 'options' ? optionFields(field) : [withNote(each, all)]
  })

const order = [
  ...['title', 'on', 'kind', 'name', 'options', 'help', 'required', 'unique', 'searched', 'indexed', 'group'],
  ...['replaceBy', 'titles'],
]

/** Without its place among the others, which their list changes. */
const inOrder = (fields: readonly FormField[]): readonly FormField[] =>
  order.flatMap((name) => fields.filter((field) => field.name === name))

const notes: { readonly [name: string]: Text } = {
  name: say('For programs, such as renewalDate. It never changes.'),
  required: say('Asked for from now on; earlier entries stay as they are.'),
  unique: say('No two entries have the same value.'),
  searched: say('The search finds its values.'),
  indexed: say('Filters and sorts stay quick with very many entries.'),
  help: say('Shown at the field in forms.'),
  group: say('Fields of one group stand together, below its name.'),
}

function withNote(field: FormField, all: readonly AddedField[]): FormField {
  const note = notes[field.name]
  const named = field.name === 'name' && { follows: { field: 'title', as: 'camel' } as const }
  const suggestions = field.name === 'group' && { suggestions: groupsOf(all) }
  return note === undefined ? field : { ...field, note, ...named, ...suggestions }
}

/** The groups that there are. */
const groupsOf = (fields: readonly AddedField[]): readonly string[] => [
  ...new Set(fields.flatMap(({ group }) => group ?? [])),
]

const choiceLines: FormField = {
  name: 'options/values',
  label: say('Choices, one in each line'),
  schema: { type: 'string', maxLength: 20_000 },
  onlyFor: { field: 'kind', values: ['choice', 'choices'], title: say('For the kinds “Choice” and “Choices”.') },
}

const linkTarget = (value: string | undefined): FormField => ({
  name: 'options/to',
  label: say('Leads to'),
  schema: { type: 'string' },
  nothing: say('choose one'),
  choices: extensible.map((each) => ({ value: each, text: say(label(each)) })),
  ...(value !== undefined && { value }),
})

const longestText = (value: number | undefined): FormField => ({
  name: 'options/max',
  label: say('Most characters'),
  schema: { type: 'integer', minimum: 1, maximum: 10_000 },
  required: false,
  note: say('200 unless said otherwise.'),
  ...(value !== undefined && { value: String(value) }),
})

/** Those of every kind. */
const newOptions: readonly FormField[] = [
  choiceLines,
  { ...linkTarget(undefined), onlyFor: { field: 'kind', values: ['link'], title: say('For the kind “Link”.') } },
  { ...longestText(undefined), onlyFor: { field: 'kind', values: ['text'], title: say('For the kind “Text”.') } },
]

const fieldsOfOption: { readonly [O in keyof AddedOptions]-?: (field: OwnField) => readonly FormField[] } = {
  max: ({ options }) => [longestText(options.max)],
  to: ({ options: { to = '' } }) => [{ ...linkTarget(to), isHidden: true }],
  values: choiceRows,
}

function optionFields(field: OwnField): readonly FormField[] {
  const { option } = addedKind(field.kind)
  return option === undefined ? [] : fieldsOfOption[option](field)
}

const NEW_ROWS = 3
const removed = say('Remove')

function choiceRows({ options: { values = [] } }: OwnField): readonly FormField[] {
  const rows = values.map((choice, at) => choiceRow(choice, at, values))
  const further = Array.from({ length: NEW_ROWS }, (_, at) => choiceRow(undefined, values.length + at, []))
  return [{ name: 'options/values', label: say('Choices|list'), schema: {}, rows: [...rows, ...further] }]
}

function choiceRow(choice: AddedChoice | undefined, at: number, all: readonly AddedChoice[]): FormRow {
  const name = `options/values/${at}`
  const title: FormField = {
    name: `${name}/title`,
    label: say('Title'),
    schema: { type: 'string', maxLength: choice === undefined ? 100 : 200 },
    ...(choice === undefined ? { required: false } : { required: true, value: choice.title }),
  }
  const others = titleFields(`${name}/titles`, choice?.titles).map((each) => ({ ...each, fold: inOtherLanguages }))
  const fixed = choice && {
    name: `${name}/value`,
    label: say('Value'),
    schema: {},
    value: choice.value,
    isHidden: true,
  }
  return {
    name,
    ...(choice && { text: titleText(choice) }),
    fields: [...(fixed ? [fixed as FormField] : []), title, ...others, ...removal(name, choice, all)],
  }
}

/** A choice goes, and things get another one. */
function removal(name: string, choice: AddedChoice | undefined, all: readonly AddedChoice[]): readonly FormField[] {
  const others = all.filter((each) => each !== choice && !each.closing)
  if (choice === undefined || choice.closing || others.length === 0) return []
  return [
    {
      ...{ name: `${name}/_remove`, label: say('Remove'), schema: {}, fold: removed },
      ...{ several: true, choices: [{ value: 'true', text: say('Remove this choice') }] },
    },
    {
      ...{ name: `replaceBy${pointerTo(choice.value)}`, label: say('Entries with it get'), schema: {}, fold: removed },
      choices: others.map((each) => ({ value: each.value, text: titleText(each) })),
      nothing: say('nothing: no entry has it'),
    },
  ]
}
