import { decimalIn, REGION_FIELD } from '../../languages/decimals.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { wordsFor } from '../../languages/text.ts'
import { clockText } from '../../languages/zones.ts'
import type { Json } from '../../values/json/json.ts'
import { BETWEEN, SEVERAL } from '../../values/kinds/choices.ts'
import { countries, currencies } from '../../values/kinds/codes.ts'
import type { JsonSchema } from '../../values/kinds/kind.ts'
import { WITH_CRLF } from '../../values/kinds/text.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import type { DocumentForm, FieldChoice, FormField } from '../document.ts'
import type { FieldList } from '../markup/field-lists.ts'
import { type Hole, html, Markup } from '../markup/markup.ts'
import { label as inWords } from './label.ts'
import { phrase, told } from './phrase.ts'
import { picker } from './picker.ts'
import { defaultButton, rowsMarkup } from './rows.ts'

/** A form that works without script. `id` is unique in the page. */
export function formMarkup(form: DocumentForm, id: string): Markup {
  return html`<form method="${form.method}" action="${form.action}" aria-labelledby="${id}">
<h3 id="${id}">${form.title}</h3>
${contentMarkup(form, id)}
<p><button type="submit">${form.submit}</button></p>
</form>
`
}

/** The fields of a form, without its frame and button. */
export function contentMarkup({ hidden, fields }: DocumentForm, id: string): Markup {
  const further = fields.filter(({ isFurther }) => isFurther)
  const written = (isFurther: boolean): Hole => {
    const those = fields.flatMap((field, at) => ((field.isFurther === true) === isFurther ? [{ field, at }] : []))
    return [...Map.groupBy(those, ({ field }) => field.heading)].map(([heading, each]) => {
      const content = each.map(({ field, at }) => fieldMarkup(among(fields, field), `${id}-${at + 1}`))
      return heading === undefined ? content : headed(heading, content)
    })
  }
  return html`${hiddenFields(hidden)}${regionField(fields)}${fields.some(({ rows }) => rows) && defaultButton}
${written(false)}${furtherMarkup(further, written(true))}`
}

/** The fields of one heading, where the first of them is. */
const headed = (heading: string, fields: Hole): Markup =>
  html`<fieldset class="headed"><legend translate="no">${heading}</legend>
${fields}</fieldset>
`

/** The fields that are seldom needed, unless one of them is filled in or wrong. */
function furtherMarkup(fields: readonly FormField[], written: Hole): Markup | undefined {
  if (fields.length === 0) return undefined
  const isOpen = fields.some(({ fault, isTyped, value }) => fault !== undefined || (isTyped && value))
  return html`<details class="more"${isOpen && html` open`}><summary>${say('More|fields')}</summary>
<div>${written}</div></details>
`
}

/** Of equal choices that depend on another field, the one that is possible there is chosen. */
function among(fields: readonly FormField[], field: FormField): FormField {
  const { within, value, choices = [] } = field
  if (within === undefined || value === undefined) return field
  const other = fields.find(({ name }) => name === within.field)?.value
  const chosen = choices.find((each) => each.value === value && each.group?.value === other)
  return chosen === undefined ? field : { ...field, chosen }
}

/** Amounts and persons are typed as people write them: the fields after this one. */
export const regionField = (fields: readonly FormField[]): Markup | undefined =>
  fields.some((field) => isAmount(field) || field.namesUser) ? region : undefined

const region = html`<input type="hidden" name="${REGION_FIELD}" value="${({ locale }) => locale}">`

export const hiddenFields = (hidden: DocumentForm['hidden']): readonly Markup[] =>
  Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

export const fieldMarkup = (field: FormField, id: string): Markup =>
  field.value === undefined && field.fault === undefined && field.picks === undefined
    ? emptyField(field)(id)
    : writtenField(field, id)

/** A page has the forms of many operations, most of whose fields are empty: those are rendered once. */
const emptyField = onceFor((field: FormField) => memoize((id) => writtenField(field, id).oncePerLanguage()))

function writtenField(field: FormField, id: string): Markup {
  const { label, picks } = field
  if (picks !== undefined) return picker(field, picks, id, fieldMarkup)
  if (field.isHidden) return html`<input type="hidden" name="${field.name}" value="${field.value}">`
  if (field.rows !== undefined) return rowsMarkup(field, field.rows, id, writtenField)
  if (field.several) return boxes(field, id)
  return html`<div class="field"${onlyFor(field)}>${titleFor(field)}<label for="${id}"${mustBe(field)}>${label}</label> ${control(field, id)}${unit(field)}${beside(field, id)}</div>
`
}

const unit = ({ unit: text }: FormField): Markup | undefined =>
  text === undefined ? undefined : html` <span class="unit" aria-hidden="true">${text}</span>`

/** Marks what must be filled in; what is sure to have a value needs no mark. */
const mustBe = (field: FormField): Markup | undefined =>
  field.required === true && !isSettled(field) ? html` data-required` : undefined

/** The fault of a field, or else its note. */
function beside(field: FormField, id: string): Markup | undefined {
  const { fault, note } = field
  if (fault === undefined) return note && html` <span class="note" id="${id}-note">${note}</span>`
  const parameter = fault.at?.parameter
  const where = parameter !== undefined && html`<code>${parameter}</code> `
  return html` <span class="fault" id="${id}-note">${where}${faultText(fault, field)}</span>`
}

/** The script shows and hides it. */
const onlyFor = ({ onlyFor: belongs }: FormField): Markup | undefined =>
  belongs && html` data-for="${belongs.field}" data-values="${belongs.values.join(' ')}"`

/** Without script everything is shown: what it is for stands above it. */
const titleFor = ({ onlyFor: belongs }: FormField): Markup | undefined =>
  belongs?.title && html`<p class="for">${belongs.title}</p>`

/** A yes or no that is one from the beginning, in a form that fills it in: there is nothing to leave out. */
const isSettled = ({ schema, value, required }: FormField): boolean =>
  schema.type === 'boolean' && (value === 'true' || value === 'false') && required !== undefined

/** With the line of a text, and choices by their titles. */
function faultText(fault: NonNullable<FormField['fault']>, { choices = [], faultyLine: line }: FormField): Markup {
  if (line !== undefined) return phrase('Line {line}: {what}', { line, what: told(fault) })
  const { values } = fault.with ?? {}
  if (fault.code !== 'not-one-of' || !Array.isArray(values)) return told(fault)
  const titles = new Map(choices.toReversed().map(({ value, text }) => [value, text]))
  return Markup.written((reader) => {
    const said = values.map((value) => wordsFor(titles.get(value) ?? String(value), reader))
    return told({ ...fault, with: { ...fault.with, values: said } }).for(reader)
  })
}

/** A box for each choice. The empty value says that they were shown: without any checked one it is the empty set. */
function boxes(field: FormField, id: string): Markup {
  const { name, label, value = '', choices = [] } = field
  const chosen = new Set(value === '' ? [] : value.split(BETWEEN))
  const box = ({ value, text }: FieldChoice, at: number): Markup =>
    html`<label><input type="checkbox" name="${name}${SEVERAL}" value="${value}"${chosen.has(value) && html` checked`}${at === 0 && field.isFirst && html` autofocus`}> ${text}</label>\n`
  const all = html`<input type="hidden" name="${name}${SEVERAL}" value="">
<div>${choices.map(box)}</div>`
  const others = field.isFolded && html`<details class="more"><summary>${say('Choose|fields')}</summary></details>`
  return html`<fieldset class="field several${field.isFolded === true && ' some'}" id="${id}"${described(field, id)}><legend${mustBe(field)}>${label}</legend>
${others}${all}${beside(field, id)}</fieldset>
`
}

/** Connects a control with its note for screen readers. */
const described = ({ fault, note }: FormField, id: string): Markup | undefined =>
  fault === undefined && note === undefined
    ? undefined
    : html`${fault !== undefined && html` aria-invalid="true"`} aria-describedby="${id}-note"`

function control(field: FormField, id: string): Markup {
  const schema = withoutNull(field.schema)
  if (field.choices !== undefined) return select(field, id, schema, field.choices)
  if (Array.isArray(schema.enum) && schema.enum.length <= MOST_CHOICES) {
    return select(field, id, schema, schema.enum.map(choice))
  }
  if (schema.type === 'boolean') return select(field, id, schema, booleans)
  const length = schema.maxLength
  const isLong = typeof length === 'number' && length > LONGEST_LINE && schema.format === undefined
  // An input drops the line breaks of its value.
  if ((isLong && !isOneLine(field)) || field.value?.match(/[\n\r]/)) return textArea(field, id, length)
  const list = listOf(field, schema)
  const offered = field.suggestions
  return html`<input id="${id}" name="${field.name}"${isAmount(field) ? amountType : inputType(schema, field.value)}${
    typeof length === 'number' && html` maxlength="${length}"`
  }${attribute('inputmode', field.keyboard)}${field.follows && html` data-from="${field.follows.field}" data-as="${field.follows.as}"`}${!isTimed(schema) && placeholder(field)}${field.value !== undefined && html` value="${(reader) => controlText(field, reader) ?? ''}"`}${attribute('autocomplete', field.autocomplete)}${list && listAttributes[list]}${offered && html` list="${id}-list"`}${field.required === true && html` required`}${field.isFirst && html` autofocus`}${described(field, id)}>${offered && datalist(offered, id)}`
}

const datalist = (texts: readonly string[], id: string): Markup =>
  html`<datalist id="${id}-list">${texts.map((text) => html`<option value="${text}">`)}</datalist>`

/** Addresses, and texts with suggestions, have one line however long they may be. */
const isOneLine = ({ keyboard, suggestions }: FormField): boolean => keyboard !== undefined || suggestions !== undefined

const isTimed = ({ format }: JsonSchema): boolean => format === 'date' || format === 'date-time'

/** The text that the control of a field shows for its value: an instant by the reader's clock, an amount as typed. */
export function controlText(field: FormField, reader: Reader): string | undefined {
  const { value } = field
  if (formatOf(field) === 'date-time' && isInstant(value)) return clockOf(value, reader)
  if (field.namesUser && !field.isTyped && value !== undefined) return reader.typedName?.(value) ?? value
  const isDecimal = isAmount(field) && !field.isTyped && /^-?\d+(\.\d+)?$/.test(value ?? '')
  return isDecimal && value !== undefined ? decimalIn(value, reader.locale) : value
}

/** An amount is typed as text, as the reader's region writes it. */
const isAmount = ({ schema }: FormField): boolean => withoutNull(schema).type === 'number'

export const formatOf = ({ schema }: FormField): Json | undefined => withoutNull(schema).format

/** A refused input need not be one. */
const isInstant = (value = ''): value is string => value.endsWith('Z') && !Number.isNaN(Date.parse(value))

function clockOf(instant: string, { timeZone }: Reader): string {
  const fraction = instant.slice(19, -1)
  return `${clockText(instant, timeZone)}${fraction}`.replace(/(?::00)?\.000$/, '')
}

/** The list that a field suggests from; the layout has it. */
function listOf({ list, namesUser }: FormField, { enum: codes }: JsonSchema): FieldList | undefined {
  if (list !== undefined) return list
  if (namesUser) return 'people'
  if (codes === currencies) return 'currencies'
  return codes === countries ? 'countries' : undefined
}

/** Separate templates, each of which marks the list as needed by the page. */
const listAttributes: Readonly<Record<FieldList, Markup>> = {
  people: Markup.of(' list="people"', new Set(['people'])),
  currencies: Markup.of(' list="currencies"', new Set(['currencies'])),
  countries: Markup.of(' list="countries"', new Set(['countries'])),
  zones: Markup.of(' list="zones"', new Set(['zones'])),
}

const LONGEST_LINE = 500
/** Longer lists, such as currencies and countries, are text fields: a select would be most of the page. */
export const MOST_CHOICES = 40

/** Unwraps the `anyOf` of a nullable schema: in a form, an empty field is null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema
  const others = schema.anyOf.filter(isSchema).filter(({ type }) => type !== 'null')
  return others.length === 1 && others[0] !== undefined ? { ...schema, ...others[0] } : schema
}

const isSchema = (json: Json): json is JsonSchema => typeof json === 'object' && json !== null && !Array.isArray(json)

const amountType = html` type="text" inputmode="decimal"`

function inputType({ type, format, minimum, maximum }: JsonSchema, value = ''): Markup {
  // An input that does not fit the type can only be shown as text.
  if (value !== '' && typed[String(format ?? type)]?.test(value) === false) return html` type="text"`
  if (type === 'integer' || type === 'number') {
    // The number of decimals depends on the currency, which the form does not know.
    return html` type="number" step="${type === 'integer' ? 1 : 'any'}"${attribute('min', minimum)}${attribute('max', maximum)}`
  }
  if (format === 'date') return html` type="date"`
  if (format === 'password') return html` type="password"`
  if (format === 'email' || format === 'uri') return html` type="${format === 'uri' ? 'url' : format}"`
  // Clocks show seconds only if they are not zero.
  if (format === 'date-time') return html` type="datetime-local" step="any"`
  return html` type="text"`
}

/** The texts that fields of a type can show. */
const typed: { readonly [kind: string]: RegExp } = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/,
}

function textArea(field: FormField, id: string, length: Json | undefined): Markup {
  const { name, value } = field
  const required = field.required === true && html` required`
  // A browser sends every line break as CRLF: which of them are meant, the form says.
  const ends = value?.includes('\r\n') && html`<input type="hidden" name="${WITH_CRLF}${SEVERAL}" value="${name}">`
  // A parser drops the first line break of a textarea.
  return html`<textarea id="${id}" name="${name}" rows="3"${attribute('maxlength', length)}${placeholder(field)}${required}${field.isFirst && html` autofocus`}${described(field, id)}>
${value}</textarea>${ends}`
}

/** An example in the reader's language. */
const placeholder = ({ placeholder }: FormField): Markup | undefined =>
  placeholder === undefined ? undefined : html` placeholder="${placeholder}"`

function select(field: FormField, id: string, schema: JsonSchema, choices: readonly FieldChoice[]): Markup {
  const initial = schema.default
  const unset =
    initial === undefined || initial === null
      ? (field.nothing ?? say('not set'))
      : say('default: {value}', { value: choices.find(({ value }) => value === String(initial))?.text ?? '' })
  const { within, chosen = choices.find(({ value }) => value === field.value) } = field
  const option = (choice: FieldChoice): Markup =>
    html`<option value="${choice.value}"${attribute('lang', choice.lang)}${choice === chosen && html` selected`}>${choice.text}</option>`
  const options = [...Map.groupBy(choices, ({ group }) => group)].map(([group, those]) => {
    if (group === undefined) return html`${those.map(option)}`
    const isHere = within?.here?.includes(group.value) === true && html` data-here`
    return html`<optgroup label="${group.text}" data-of="${group.value}"${isHere}>${those.map(option)}</optgroup>\n`
  })
  // A default that is chosen needs no empty option; otherwise it comes first, as HTML requires for a required select.
  const isPreset = (initial !== undefined && initial !== null && field.value === String(initial)) || isSettled(field)
  return html`<select id="${id}" name="${field.name}"${attribute('data-within', within?.field)}${field.required === true && html` required`}${field.isFirst && html` autofocus`}${described(field, id)}>
${!isPreset && html`<option value="">${field.required ? say('choose one') : unset}</option>\n`}${options}
</select>`
}

const choice = (json: Json): FieldChoice => ({ value: String(json), text: say(inWords(String(json))) })
const booleans: readonly FieldChoice[] = [
  { value: 'true', text: say('yes') },
  { value: 'false', text: say('no') },
]

const attribute = (name: string, value: Json | undefined): Markup | undefined =>
  typeof value === 'string' || typeof value === 'number' ? html` ${name}="${value}"` : undefined
