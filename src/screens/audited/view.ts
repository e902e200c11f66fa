import type { Addresses } from '../../http/contract/addresses.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { framedForm, sureText } from '../forms/framed-form.ts'
import { listTexts } from '../list/list-screen.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { copied, details, panel } from '../parts/panel.ts'
import type { FieldsOfThing } from '../parts/shown.ts'
import { tableList } from '../table-list/view.ts'
import { valueMarkup } from '../thing/facts.ts'

interface AuditedContext {
  readonly resource: Resource
  readonly addresses: Addresses
  readonly addressOf: (thing: FieldsOfThing) => string
}

export interface AuditedList extends AuditedContext {
  readonly list: ShownList
  readonly things: readonly FieldsOfThing[]
  /** The form for a new one; undefined for callers who may not create one. */
  readonly creation: DocumentForm | undefined
}

export function auditedList({ creation, things, list, ...about }: AuditedList): Markup {
  const { resource, addresses, addressOf } = about
  const texts = listTexts(resource)
  return tableList<FieldsOfThing>({
    title: say(label(resource.plural)),
    creation: creation && { form: creation, text: say(texts.new) },
    list,
    address: addresses.base + resource.path,
    caption: say(texts.shown, { count: things.length }),
    columns: [
      { head: say('Name'), cell: (thing) => crumb(addressOf(thing), titleOf(resource, thing)) },
      ...shownFields(resource).map((field) => ({
        head: say(label(field)),
        kind: 'wide' as const,
        cell: (thing: FieldsOfThing) => fact(field, thing, about),
      })),
    ],
    rows: things,
    none: say(texts.none),
  })
}

export interface AuditedPage extends AuditedContext {
  readonly thing: FieldsOfThing
  /** Values that are shown this once. */
  readonly once: readonly string[]
  readonly forms: readonly { readonly operation: Operation; readonly form: DocumentForm }[]
}

export function auditedPage({ thing, once, forms, ...about }: AuditedPage): Markup {
  const { resource, addresses } = about
  const above = crumb(addresses.base + resource.path, say(label(resource.plural)))
  const facts = shownFields(resource).map((field) => [say(label(field)), fact(field, thing, about)] as const)
  const framed = forms.map(({ operation, form }) =>
    framedForm(
      form,
      `${operation.name}-form`,
      operation.removes ? { danger: true, sure: sureText(operation) } : { plain: true },
    ),
  )
  const secrets = once.map((value) => html`<p>${say('It is shown only once.')}</p>${copied(value)}`)
  return html`${pageHead({ crumbs: above, title: titleOf(resource, thing) })}${secrets.length > 0 && panel('secret', say('The secret'), secrets)}
${panel('facts', say('Details'), details(facts))}
${forms.length > 0 && panel('offers', say('What you can do'), framed)}
`
}

function titleOf(resource: Resource, thing: FieldsOfThing): Text {
  const { text, with: places } = resource.title?.(thing) ?? { text: '', with: {} }
  return say(text, places)
}

const shownFields = ({ kinds, key }: Resource): readonly string[] =>
  Object.keys(kinds).filter((field) => field !== key && field !== 'revision')

const fact = (field: string, thing: FieldsOfThing, { resource, addresses }: AuditedContext) =>
  valueMarkup(field, thing, { resource, addresses, referred: new Map() })
