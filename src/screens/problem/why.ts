import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { type Told, tell } from '../../languages/tell.ts'
import type { Words } from '../../languages/text.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import type { Fault, Reason } from '../../values/faults/fault.ts'

/** Why something was refused; without a `detail`, the faults explain it. */
export interface Why {
  readonly detail?: Reason | Told
  readonly errors?: readonly Fault[]
}

/** A refusal for a page. */
export interface ExplainedRefusal extends Why {
  readonly title: string
  /** Whether the detail says by itself that nothing was changed. */
  readonly isWhole?: boolean
}

export const whyMarkup = ({ detail, errors = [] }: Why): Markup =>
  detail === undefined ? faultsMarkup(errors) : told(detail)

/** Each field in the reader's words, and its fault. */
export const faultsMarkup = (faults: readonly Fault[]): Markup =>
  html`${faults.map((fault, at) => {
    const what = told(fault)
    const about = fieldOf(fault)
    return html`${at > 0 && '; '}${about === '' ? what : phrase('{about}: {what}', { about, what })}`
  })}`

/** The same as text. */
export const faultsText = (faults: readonly Fault[], reader: Reader): string =>
  faults
    .map((fault) => {
      const what = tell(fault, reader.language)
      const about = fieldOf(fault)
      return about === '' ? what : say('{about}: {what}', { about, what })(reader)
    })
    .join('; ')

/** The faulty field; empty if it is the whole. */
function fieldOf({ at: { pointer = '', parameter, header } }: Fault): Words {
  const name = parameter ?? header ?? pointer.slice(1)
  return name === '' ? '' : say(label(name))
}
