import { codeName } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Words } from '../../languages/text.ts'
import { countries, currencies } from '../../values/kinds/codes.ts'
import { memoize } from '../../values/memoize.ts'
import { html, type Markup } from './markup.ts'
import type { WritingContext } from './writing-context.ts'

/** The lists of suggestions, by the id that a field names. */
export type FieldList = keyof typeof writers

const writers = {
  people: (people: WritingContext['people']) =>
    datalist(
      'people',
      people.map(({ name, fullName }) => personOption(name, fullName)),
    ),
  currencies: () => codeList('currencies', 'currency', currencies),
  countries: () => codeList('countries', 'region', countries),
  zones: () => zoneList('zones'),
}

/** The lists of suggestions for the fields of a page, each once. */
export const fieldLists = (main: Markup, { people }: Pick<WritingContext, 'people'>): readonly Markup[] =>
  names.flatMap((name) => (main.marks.has(name) ? [writers[name](people)] : []))

const names = Object.keys(writers) as readonly FieldList[]

/** Codes with their names in the reader's language. */
const codeList = memoize((id, type: 'currency' | 'region', codes: readonly string[]) =>
  datalist(
    id,
    codes.map((code) => option(code, codeName(type, code))),
  ).oncePerLanguage(),
)

const zoneList = memoize((id) =>
  datalist(
    id,
    Intl.supportedValuesOf('timeZone').map((zone) => option(zone)),
  ),
)

/** The text that a field shows for the person; both names are searched. */
const personOption = (name: string, fullName: string | null): Markup =>
  html`<option value="${(reader) => reader.typedName?.(name) ?? name}"${fullName !== null && html` label="${(reader) => otherName(name, fullName, reader)}"`}></option>\n`

const otherName = (name: string, fullName: string, { typedName }: Reader): string =>
  typedName?.(name) === fullName ? name : fullName

const option = (value: string, label?: Words): Markup =>
  html`<option value="${value}"${label !== undefined && html` label="${label}"`}></option>\n`

/** Its names are in the reader's language or in none, and its values must not be translated. */
const datalist = (id: string, options: readonly Markup[]): Markup => html`<datalist id="${id}" translate="no">
${options}</datalist>
`
