import { currentReader } from '../../languages/current-reader.ts'
import { oncePerLanguage } from '../../languages/once-per-language.ts'
import { codeLists, PEOPLE } from './form.ts'
import { html, type Markup } from './markup.ts'
import type { WritingContext } from './writing-context.ts'

/** The lists that fields of a page suggest from, each once. Text has no bare quotes, so only a field can ask for one. */
export function fieldLists(main: Markup, { people }: Pick<WritingContext, 'people'>): readonly Markup[] {
  const text = main.toString()
  const isAsked = (id: string): boolean => text.includes(` list="${id}"`)
  return [
    ...(isAsked(PEOPLE)
      ? [
          dataList(
            PEOPLE,
            people.map(({ name, fullName }) => [name, fullName ?? name]),
          ),
        ]
      : []),
    ...codes().flatMap(({ id, list }) => (isAsked(id) ? [list] : [])),
  ]
}

const codes = oncePerLanguage(() =>
  codeLists.map(({ id, names, codes }) => {
    const named = new Intl.DisplayNames(currentReader().language.tag, { type: names })
    return {
      id,
      list: dataList(
        id,
        codes.map((code) => [code, named.of(code) ?? code]),
      ),
    }
  }),
)

const dataList = (id: string, options: readonly (readonly [value: string, text: string])[]): Markup =>
  html`<datalist id="${id}">
${options.map(([value, text]) => html`<option value="${value}"${text !== value && html` label="${text}"`}></option>\n`)}</datalist>
`
