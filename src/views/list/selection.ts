import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/resource.ts'
import { operationsByGroup } from '../../model/resources.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { mayDo } from '../../values/role.ts'
import type { Addresses, Visit } from '../parts/visit.ts'

/** The head of the column with the check boxes; the script puts one there that checks them all. */
export const pickHead = (): Markup => html`<td class="pick"></td>`

export interface Selection {
  readonly resource: Resource
  readonly addresses: Addresses
  /** The address of the list, to which the change leads back. */
  readonly back: string
  /** Whether the list is of deleted things. */
  readonly ofDeleted: boolean
  readonly role: Visit['role']
}

/** A table whose rows can be changed together: they are chosen here, and what happens to them is seen before. */
export function selectable(table: Markup, { resource, addresses, back, ofDeleted, role }: Selection): Markup {
  const groups = operationsByGroup(resource).flatMap(({ title, operations }) => {
    const fit = operations.filter(
      (each) => (each.to === 'deleted') === ofDeleted && mayDo({ role }, each.role ?? each.on.roles.writes),
    )
    return fit.length === 0 ? [] : [{ title, operations: fit }]
  })
  if (groups.length === 0) return table
  const options = groups.map(
    ({ title, operations }) =>
      html`<optgroup label="${say(title)}">${operations.map(
        ({ name, title: text }) => html`<option value="${name}">${say(text)}</option>`,
      )}</optgroup>`,
  )
  return html`<form class="selectable" method="post" action="${addresses.changes(resource.plural)}">
<input type="hidden" name="_return" value="${back}">
${table}<p class="bulk"><label><input type="checkbox" name="_all" value="true"> ${say('All rows shown')}</label> <label class="unseen" for="bulk-operation">${say('What to do with the selected rows')}</label><select id="bulk-operation" name="_operation" required><option value="">${say('With the selected rows …')}</option>${options}</select> <button>${say('Continue')}</button></p>
</form>
`
}
