import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { type Told, tell } from '../../languages/tell.ts'
import { type Words, wordsFor } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { choiceTitle, fieldTitle, titleText } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, Markup } from '../../representations/markup/markup.ts'
import type { Fault, Reason } from '../../values/faults/fault.ts'
import { memberAt } from '../../values/members.ts'

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

type ShownKinds = Resource['kinds']

/** The names that a file has for fields. */
type FileNames = ReadonlyMap<string, string>

/**
 * Each field in the reader's words, and its fault; `kinds` has the titles of fields and choices. A field that a file
 * names is called as there.
 */
export const faultsMarkup = (faults: readonly Fault[], kinds: ShownKinds = {}, inFile?: FileNames): Markup =>
  html`${faults.map((fault, at) => {
    const what = faultMarkup(fault, kinds)
    const about = fieldOf(fault, kinds, inFile)
    return html`${at > 0 && '; '}${about === '' ? what : phrase('{about}: {what}', { about, what })}`
  })}`

/** A fault, with fields and choices by their titles. */
export const faultMarkup = (fault: Fault, kinds: ShownKinds): Markup =>
  Markup.written((reader) => told(withTitles(fault, kinds, reader)).for(reader))

/** The same as text. */
export const faultsText = (
  faults: readonly Fault[],
  reader: Reader,
  kinds: ShownKinds = {},
  inFile?: FileNames,
): string =>
  faults
    .map((fault) => {
      const what = tell(withTitles(fault, kinds, reader), reader.language)
      const about = fieldOf(fault, kinds, inFile)
      return about === '' ? what : say('{about}: {what}', { about, what })(reader)
    })
    .join('; ')

/** The faulty field; empty if it is the whole. */
function fieldOf({ at: { pointer = '', parameter, header } }: Fault, kinds: ShownKinds, inFile?: FileNames): Words {
  const heading = inFile?.get(memberAt(pointer))
  if (heading !== undefined) return heading
  const kind = kinds[memberAt(pointer)]
  if (kind?.titled !== undefined) return titleText(kind.titled)
  const name = parameter ?? header ?? pointer.slice(1)
  return name === '' ? '' : say(label(name))
}

function withTitles(fault: Fault, kinds: ShownKinds, reader: Reader): Fault {
  const kind = kinds[memberAt(fault.at.pointer)]
  const { values, stage, fields } = fault.with ?? {}
  if (kind === undefined) return fault
  const choice = (value: unknown): string => wordsFor(choiceTitle(kind, String(value)) ?? String(value), reader)
  if (fault.code === 'stage-requires' && Array.isArray(fields))
    return {
      ...fault,
      with: {
        stage: choice(stage),
        fields: fields.map((name) => fieldTitle(String(name), kinds[String(name)])(reader)),
      },
    }
  if (fault.code !== 'not-one-of' || !Array.isArray(values)) return fault
  return { ...fault, with: { ...fault.with, values: values.map(choice) } }
}
