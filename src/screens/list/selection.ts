import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { operationsByGroup, whyNotNow } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { memoize } from '../../values/memoize.ts'
import type { Head } from '../filters/sorting.ts'
import type { SeenThing } from '../parts/shown.ts'

/**
 * The name of a row, which links to its thing, with the box that selects it; `named` is its markup. The box says which
 * operations are possible now, a bit for each: the script offers those that are for some of the chosen rows.
 */
export const pickable = (thing: SeenThing, named: string, operations: readonly Operation[], now: string): string => {
  const can = operations.reduce((all, each, at) => all + (whyNotNow(each, thing, now) === undefined ? 2 ** at : 0), 0)
  return `<label><input type="checkbox" name="${thing.id}" data-can="${can.toString(36)}">${named}</label>`
}

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
  /** The roles that admins made. */
  readonly own?: readonly string[] | undefined
}

/** A table whose rows can be changed together: they are selected here, and the effect is shown before. */
export function selectable(table: Markup, selection: Selection): Markup {
  const { resource, addresses, back } = selection
  const bar = bulkBar(keyOf(selection), selection)
  if (bar === undefined) return table
  return html`<form class="selectable" method="post" action="${addresses.changes(resource.plural)}">
<input type="hidden" name="_return" value="${back}">
${table}${bar}</form>
`
}

type Selected = Pick<Selection, 'resource' | 'ofDeleted' | 'role' | 'own'>

const keyOf = ({ resource: { name, schema }, ofDeleted, role, own = [] }: Selected): string =>
  `${name} ${schema.version} ${ofDeleted} ${[role, ...own].join(' ')}`

/** The operations to choose from, in their groups. */
const groupsFor = ({ resource, ofDeleted, ...holder }: Selected) =>
  operationsByGroup(resource).flatMap(({ title, operations }) => {
    const fit = operations.filter((each) => (each.to === 'deleted') === ofDeleted && mayEver(holder, each.on, each))
    return fit.length === 0 ? [] : [{ title, operations: fit }]
  })

/** The same, in the order of the choice. */
export const bulkOperations = (selected: Selected): readonly Operation[] => operationsFor(keyOf(selected), selected)

const operationsFor = memoize((_key, selected: Selected) => groupsFor(selected).flatMap(({ operations }) => operations))

/** Undefined if there are none. */
const bulkBar = memoize((_key, selected: Selected) => {
  const groups = groupsFor(selected)
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
