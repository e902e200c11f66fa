import { say } from '../../languages/say.ts'
import type { FormField } from '../../representations/document.ts'
import { fieldMarkup } from '../../representations/html/form.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { barRows } from '../charts/bar-rows.ts'
import { columnChart } from '../charts/column-chart.ts'
import { emptyList, nextStep } from '../filters/filter-bar.ts'
import { newLink } from '../forms/framed-form.ts'
import { mark, nearMark } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import { choices } from '../parts/page-head.ts'
import { details, panel } from '../parts/panel.ts'
import { avatarMarkup } from '../parts/person.ts'
import { table } from '../parts/table.ts'

/** Every part that pages are made of, by the functions that they use: what changes here changes everywhere. */
export function partsPage(): Markup {
  const kinds = ['open', 'done', 'off', 'held', 'away', 'late', 'soon'] as const
  const people = [
    'Mila Sanz',
    'Omar Haddad',
    'Aino Virtanen',
    'Jonas Weber',
    'Chloé Moreau',
    'Bert Öztürk',
    'Ada',
    'Li Na',
  ]
  return html`${part('text', 'Text', text)}${part('buttons', 'Buttons and menus', buttons)}${part('tabs', 'Two kinds of tabs', tabs)}${part(
    'states',
    'States',
    [kinds.map((kind) => [mark(kind, () => kind), ' ']), nearMark('2026-11-01', '2026-11-19')],
  )}${part(
    'people',
    'People',
    people.map((name) => html`<span class="person">${avatarMarkup(name)}${name}</span> `),
  )}${part(
    'fields',
    'Fields',
    fields.map((field, at) => fieldMarkup(field, `field-${at + 1}`)),
  )}${part(
    'notices',
    'Notices',
    html`<p class="notice">What was refused, and why.</p><p class="notice held">What waits for something.</p>`,
  )}${part('facts', 'Facts', facts)}${part('tables', 'Tables', rows)}${part('charts', 'Charts', [bars, chart])}${part(
    'history',
    'What happened',
    history,
  )}${part('empty', 'Nothing yet', empty)}`
}

const part = (id: string, title: string, content: Hole): Markup => panel(id, title, content)

const text = html`<h1>A page</h1><h2>A part of it</h2><h3>A heading within</h3>
<p>Text with <a href="#text">a link</a>, <b>what matters</b>, <small>what does not</small> and <code>code</code>.</p>
<p class="quiet">What is said beside.</p>`

const buttons = html`<p class="send"><button type="button">Main</button> <button type="button" class="plain">Other</button>
<button type="button" class="danger">Dangerous</button></p>
${newLink('#buttons', () => 'New deal')}<details class="drop"><summary class="button plain" data-icon="filter">Menu</summary>
<div class="drop-panel"><p>What a menu has.</p></div></details>
<details class="more"><summary>More</summary><div><p>What is seldom needed.</p></div></details>`

const choice = (text: string, isCurrent: boolean) => ({ href: '#tabs', text, isCurrent })
const three = [choice('Open', true), choice('Won', false), choice('Lost', false)]
const tabs = [choices(() => 'Tabs', 'tabs', three), choices(() => 'Switch', 'switch', three)]

const fields: readonly FormField[] = [
  { name: 'name', label: () => 'Required', schema: { type: 'string' }, required: true },
  { name: 'note', label: () => 'With a note', schema: { type: 'string' }, note: () => 'What to know about it.' },
  { name: 'stage', label: () => 'Choice', schema: { type: 'string', enum: ['lead', 'proposal'] } },
  { name: 'day', label: () => 'Day', schema: { type: 'string', format: 'date' } },
  { name: 'text', label: () => 'Long text', schema: { type: 'string', maxLength: 5000 } },
  { name: 'age', label: () => 'Wrong', schema: { type: 'integer' }, value: '200', fault: { code: 'required' } },
]

const facts = details([
  [() => 'Name', 'Harbour crane'],
  [() => 'Price', money(409_500, 'EUR')],
])

const rows = table({
  id: 'tables-title',
  columns: [
    {
      head: () => 'Deal',
      cell: ({ name }: { readonly name: string; readonly price: number }) => html`<a href="#tables">${name}</a>`,
    },
    { head: () => 'Price', kind: 'number', cell: ({ price }) => money(price, 'EUR') },
  ],
  rows: [
    { name: 'Harbour crane', price: 409_500 },
    { name: 'Bakery line', price: 342_900 },
  ],
})

const bars = barRows(
  html`By stage`,
  [() => 'Stage', () => 'Value', () => 'Deals'],
  [
    { label: html`Lead`, value: 3, text: '3', note: html`1 deal` },
    { label: html`Proposal`, value: 9, text: '9', note: html`2 deals` },
  ],
)

const chart = columnChart({
  size: 'large',
  id: 'parts-chart',
  title: () => 'By month',
  series: [
    { label: say('Won'), kind: 'done' },
    { label: say('Lost'), kind: 'off' },
  ],
  points: ['Sep', 'Oct', 'Nov'].map((month, at) => ({ label: () => month, values: [at + 1, 3 - at] })),
})

const history = html`<ol class="timeline"><li class="noted" data-icon="call"><p><b>Mila Sanz</b> added a note <q>Wants it by May.</q></p></li>
<li class="done"><p><b>Mila Sanz</b> recorded a payment</p></li><li><p><b>Omar Haddad</b> created the deal</p></li></ol>`

const empty = emptyList({
  none: () => 'No deals yet.',
  noMatch: () => 'No deals match.',
  all: () => 'Show all deals',
  address: '#empty',
  parameters: [],
  next: nextStep('#empty', () => 'Create the first deal'),
})
