import type { Addresses } from '../../http/contract/addresses.ts'
import { choicesOf } from '../../imports/cells/value-words.ts'
import { fieldsIn, type RowLayout } from '../../imports/columns/layout.ts'
import type { Matching } from '../../imports/read/matching.ts'
import type { FoundInFile, MatchedValue } from '../../imports/uploads/found.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text, type Words } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { LATER } from '../../model/nouns/imports/value-answers.ts'
import type { User } from '../../model/nouns/user/user.ts'
import { choiceTitle, fieldTitle, groupTitle } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { Json } from '../../values/json/json.ts'
import { type Members, memberAt } from '../../values/members.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'

export interface ValuesForm {
  readonly upload: Upload
  readonly resource: Resource
  readonly layout: RowLayout
  readonly matching: Matching | undefined
  readonly found: FoundInFile
  /** Those whom a file may name. */
  readonly people: readonly Pick<User, 'name' | 'fullName'>[]
  readonly isAdmin: boolean
  readonly addresses: Addresses
}

/** The form for the meanings of unknown values in a file, and for the values of rows where the file has none. */
export function valuesForm(form: ValuesForm): Markup | undefined {
  const { upload, matching, found, isAdmin, addresses } = form
  if (matching === undefined) return undefined
  const fields = defaultFields(form)
  if (found.values.length === 0 && fields.length === 0) return undefined
  const rows = table({
    id: 'values-title',
    columns: [
      { head: say('Column'), kind: 'wide', cell: ({ column }: NumberedValue) => html`<span lang="">${column}</span>` },
      {
        head: say('In the file'),
        isName: true,
        cell: ({ value, id }) => html`<span id="${id}" lang="">${value}</span>`,
      },
      { head: say('Rows'), kind: 'number', cell: ({ count }) => count },
      { head: say('Here'), cell: (value) => meaningChoice(value, form) },
    ],
    rows: found.values.map((value, at) => ({ ...value, id: `value-${at + 1}` })),
  })
  const keep = html`<p><label><input type="checkbox" name="keep" value="all"> ${say('Keep these answers for everybody')}</label></p>\n`
  const about = say('What is chosen here counts for the next file with these headings too.')
  const values = html`<p class="quiet">${about}</p>\n${rows}${isAdmin && keep}`
  const defaults = html`<fieldset><legend>${say('Where the file has nothing')}</legend>
<div class="reading">${fields.map((field) => defaultInput(field, form))}</div></fieldset>\n`
  const content = html`<input type="hidden" name="_part" value="values">
${found.values.length > 0 && values}${fields.length > 0 && defaults}<p class="send"><button class="plain" type="submit">${say('Check with these answers')}</button></p>`
  const title = found.values.length > 0 ? say('Values in the file') : say('Where the file has nothing')
  const action = addresses.import(upload.id, 'matchings')
  return html`<form class="matching" method="post" action="${action}">
${panel('values', title, content)}</form>
`
}

type NumberedValue = MatchedValue & { readonly id: string }

interface Meaning {
  readonly as: Json
  readonly text: Words
}

/** The meaning of a value: one that is chosen is an answer, and one that other programs have is chosen beforehand. */
function meaningChoice({ column, value, as, id }: NumberedValue, form: ValuesForm): Markup {
  const field = form.matching?.columns.find(({ heading }) => heading === column)?.field ?? ''
  const known = meaningsOf(field, form)
  const chosen = as === null ? undefined : textOfMeaning(as)
  const isListed = known.some((each) => textOfMeaning(each.as) === chosen)
  const others = chosen === undefined || isListed ? [] : [{ as: as as Json, text: textsOf(as ?? {}, form.resource) }]
  const options = [...known, ...others].map((each) => {
    const text = textOfMeaning(each.as)
    return html`<option value="${text}"${text === chosen && html` selected`}>${each.text}</option>`
  })
  return html`<select name="value:${JSON.stringify([column, value])}" aria-labelledby="${id}">
<option value="[]">${say('Refuse these rows')}</option>${options}</select>`
}

/** The values of an answer that the list does not have, such as a stage without its pipeline, by their titles. */
const textsOf = (as: object, { kinds }: Resource): Text =>
  joined(
    Object.entries(as).map(([field, value]) => (kinds[field] && choiceTitle(kinds[field], value)) ?? String(value)),
    ', ',
  )

const textOfMeaning = (as: Json | { readonly [field: string]: unknown }): string =>
  JSON.stringify(Object.entries(as ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** The values of the field, those of the field whose words stand among them, and none. */
function meaningsOf(field: string, form: ValuesForm): readonly Meaning[] {
  const { resource, layout, people, isAdmin } = form
  const kind = resource.kinds[field]
  const empty = { as: { [field]: null }, text: say('Leave empty') }
  if (kind?.namesUser) {
    const users = people.map(({ name, fullName }) => ({ as: { [field]: name }, text: fullName ?? name }))
    const later = isAdmin ? [{ as: { [LATER]: true }, text: say('Somebody who comes later') }] : []
    return [...users, ...later, empty]
  }
  const other = layout.inFiles?.among?.[field]
  return [...choiceMeanings(field, form), ...(other === undefined ? [] : choiceMeanings(other, form)), empty]
}

function choiceMeanings(field: string, { resource: { kinds } }: Pick<ValuesForm, 'resource'>): readonly Meaning[] {
  const kind = kinds[field]
  if (kind === undefined) return []
  const { within } = kind
  if (within === undefined) {
    return (choicesOf(kind) ?? [])
      .slice(0, MOST_OFFERED)
      .map((value) => ({ as: { [field]: value }, text: choiceTitle(kind, value) ?? say(label(value)) }))
  }
  return [...within.groups].flatMap(([of, { words }]) => {
    const group = groupTitle(within, of)
    return [...words.keys()].map((value) => {
      const title = choiceTitle(kind, value, of) ?? value
      const as = group === undefined ? { [field]: value } : { [within.field]: of as Json, [field]: value }
      return { as, text: group === undefined ? title : joined([group, title], ': ') }
    })
  })
}

/** More choices would make most of a page; a value itself can be corrected in the file. */
const MOST_OFFERED = 300

/** The fields to fill: required ones, currency and place, those that refused rows lacked, and those filled before. */
function defaultFields({ resource, layout, matching, found }: ValuesForm): readonly string[] {
  const has = new Set(matching?.columns.map(({ field }) => field))
  const lacking = found.faults.flatMap(({ code, example }) =>
    code === 'required' ? [memberAt(example?.at.pointer)] : [],
  )
  const isOffered = (field: string): boolean => {
    const column = layout.columns.get(field)
    if (column === undefined || layout.uniques.includes(field) || field === 'id') return false
    if (lacking.includes(field) || Object.hasOwn(matching?.defaults ?? {}, field)) return true
    if (has.has(field)) return false
    return (
      (resource.create as Members)[field]?.required === true ||
      field === resource.moneyIn ||
      column.kind.within !== undefined
    )
  }
  return fieldsIn(layout).filter(isOffered)
}

function defaultInput(field: string, form: ValuesForm): Markup {
  const { resource, matching } = form
  const kind = resource.kinds[field]
  const value = matching?.defaults?.[field]
  const id = `default-${field}`
  const title = html`<label for="${id}">${fieldTitle(field, kind)}</label>`
  const choices = kind?.name === 'choice' ? choiceMeanings(field, form) : []
  if (choices.length === 0 || choices.length > 60) {
    const text = value === undefined ? '' : String(value)
    return html`<p class="field">${title}<input id="${id}" name="default:${field}" value="${text}" maxlength="1000"></p>\n`
  }
  const options = choices.map(({ as, text }) => {
    const own = (as as { readonly [name: string]: Json })[field]
    return html`<option value="${String(own)}"${own === value && html` selected`}>${text}</option>`
  })
  return html`<p class="field">${title}<select id="${id}" name="default:${field}"><option value="">${say('nothing|default')}</option>${options}</select></p>\n`
}
