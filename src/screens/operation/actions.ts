import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { Reason } from '../../values/faults/fault.ts'
import { mark } from '../parts/marks.ts'
import { type PageHead, pageHead } from '../parts/page-head.ts'
import { type Column, table } from '../parts/table.ts'

/** An operation, and why it is not allowed now; undefined if it is. */
export interface Action {
  readonly operation: Operation
  readonly whyNot: Reason | Told | undefined
}

export interface ActionsPage extends Pick<PageHead, 'crumbs' | 'marks'> {
  readonly actions: readonly Action[]
  /** The page of an operation. */
  readonly addressOf: (operation: Operation) => string
}

/** Every operation on a thing, whether it is allowed now, and its words in the forms. */
export function actionsPage({ crumbs, marks, actions, addressOf }: ActionsPage): Markup {
  const allowed = actions.filter(({ whyNot }) => whyNot === undefined).length
  const caption = say('{allowed} of {count} operations are possible now; choose one to see it in every form', {
    allowed,
    count: actions.length,
  })
  const columns: readonly Column<Action>[] = [
    {
      head: say('Operation'),
      cell: ({ operation }) => html`<a href="${addressOf(operation)}">${say(operation.title)}</a>`,
    },
    { head: say('Now'), cell: ({ whyNot }) => possibility(whyNot) },
    { head: say('Verb'), kind: 'wide', cell: ({ operation }) => word(operation.name) },
    { head: say('Participle'), kind: 'wide', cell: ({ operation }) => word(operation.words.participles.join(', ')) },
    { head: say('Noun'), kind: 'wide', cell: ({ operation }) => word(operation.words.noun) },
    { head: say('Action'), kind: 'wide', cell: ({ operation }) => word(operation.words.action) },
  ]
  return html`${pageHead({ crumbs, title: say('What can be done'), marks })}
${table({ id: 'actions-caption', caption, columns, rows: actions })}`
}

const word = (text: string): Markup => html`<code>${text}</code>`

const possibility = (whyNot: Action['whyNot']): Markup =>
  whyNot === undefined
    ? mark('done', say('possible'))
    : html`<span class="quiet">${phrase('no: {why}', { why: told(whyNot) })}</span>`
