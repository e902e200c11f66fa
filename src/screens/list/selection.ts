import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { operationsByGroup } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { memoize } from '../../values/memoize.ts'
import type { Head } from '../filters/sorting.ts'

/** The name of a row, which links to its thing, with the box that selects it; `named` is its markup. */
export const pickable = (id: string | number, named: string): string =>
  `<label><input type="checkbox" name="${id}">${named}</label>`

/** Declares which columns narrow screens hide: a class for the table is shorter than one for each cell. */
export function narrowed(heads: readonly Pick<Head, 'kind'>[]): Markup | undefined {
  const hidden = heads.flatMap(({ kind }, at) => (kind?.includes('wide') ? [`hides-${at + 1}`] : []))
  return hidden.length === 0 ? undefined : html` class="${hidden.join(' ')}"`
}

export interface Selection {
  readonly resource: Resource
  readonly addresses: Addresses
  /** The address of the list, to which the change returns. */
  readonly back: string
  /** Whether the list is of deleted things. */
  readonly ofDeleted: boolean
  readonly role: Call['role']
}

/** A table whose rows can be changed together: they are selected here, and the effect is shown before. */
export function selectable(table: Markup, { resource, addresses, back, ofDeleted, role }: Selection): Markup {
  const bar = bulkBar(`${resource.name} ${ofDeleted} ${role}`, resource, ofDeleted, role)
  if (bar === undefined) return table
  return html`<form class="selectable" method="post" action="${addresses.changes(resource.plural)}">
<input type="hidden" name="_return" value="${back}">
${table}${bar}</form>
`
}

/** The operations to choose from; undefined if there are none. */
const bulkBar = memoize((_key, resource: Resource, ofDeleted: boolean, role: Call['role']) => {
  const groups = operationsByGroup(resource).flatMap(({ title, operations }) => {
    const fit = operations.filter((each) => (each.to === 'deleted') === ofDeleted && mayEver({ role }, each.on, each))
    return fit.length === 0 ? [] : [{ title, operations: fit }]
  })
  if (groups.length === 0) return undefined
  const options = groups.map(
    ({ title, operations }) =>
      html`<optgroup label="${say(title)}">${operations.map(
        ({ name, title: text }) => html`<option value="${name}">${say(text)}</option>`,
      )}</optgroup>`,
  )
  const all = html`<label><input type="checkbox" name="_all" value="true"> ${say('All rows shown')}</label>`
  const name = html`<label class="unseen" for="bulk-operation">${say('What to do with the selected rows')}</label>`
  const first = html`<option value="">${say('With the selected rows …')}</option>`
  return html`<p class="bulk">${all}
${name}<select id="bulk-operation" name="_operation" required>${first}${options}</select>
<button type="submit">${say('Continue')}</button></p>
`.oncePerLanguage()
})
