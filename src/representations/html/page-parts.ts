/**
 * What the frame of a page does something for, by the marks in markup that tell it is there: the page loads a style and
 * a script for it, has a list for its fields, or leads to it.
 */
const marksOfParts = {
  suggest: [' data-suggest="', ' class="field found"', ' class="panel new"'],
  table: ['<table'],
  list: [' id="list"', ' class="tabs"', ' class="plain-list"', ' class="drop"'],
  rows: [' id="list"'],
  cells: [' data-set="'],
  search: [' class="seek"', ' class="hits"'],
  board: [' id="board"'],
  cards: [' id="cards"'],
  requests: ['<pre', ' class="every"'],
  deal: [' class="timeline', '<q', ' class="op', ' class="withheld', ' class="ledger'],
  confirm: [' data-confirm="'],
  folded: [' class="folded"'],
  people: [' list="people"'],
  currencies: [' list="currencies"'],
  countries: [' list="countries"'],
  zones: [' list="zones"'],
  tasks: [' class="tasks', ' class="quick', ' class="task-edit'],
  figures: [
    ...['<svg', ' class="figures', ' class="attention', ' class="report"', ' class="report-list', ' class="day"'],
    ' class="files',
  ],
  import: [
    ...[' type="file"', '<progress', ' class="matching', ' class="cells', ' class="counts', ' class="boxes'],
    ' class="try',
  ],
} as const satisfies { readonly [part: string]: readonly string[] }

export type PagePart = keyof typeof marksOfParts

/** Several parts as the bits of a number, so that markup adds up those of its pieces at no cost. */
export type PartSet = number

const parts = Object.entries(marksOfParts) as readonly (readonly [PagePart, readonly string[]])[]
const bits = new Map(parts.map(([part], at) => [part, 1 << at]))

export const hasPart = (set: PartSet, part: PagePart): boolean => (set & (bits.get(part) ?? 0)) !== 0

/** The parts whose marks are in some HTML. */
export function partsIn(html: string): PartSet {
  let found = 0
  for (const [part, marks] of parts) if (marks.some((mark) => html.includes(mark))) found |= bits.get(part) ?? 0
  return found
}
