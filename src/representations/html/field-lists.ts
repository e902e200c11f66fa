import { PEOPLE } from './form.ts'
import { html, type Markup } from './markup.ts'
import type { WritingContext } from './writing-context.ts'

/** Who there is, once for all fields of a page that name a user. Text has no bare quotes, so only a field can ask for it. */
export function fieldLists(main: Markup, { people }: Pick<WritingContext, 'people'>): Markup | undefined {
  if (!main.toString().includes(` list="${PEOPLE}"`)) return undefined
  const options = people.map(
    ({ name, fullName }) => html`<option value="${name}"${fullName !== null && html` label="${fullName}"`}></option>\n`,
  )
  return html`<datalist id="${PEOPLE}">
${options}</datalist>
`
}
