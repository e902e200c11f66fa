import { dateText, eachOfText, numberText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { joined, type Text, type Words } from '../../../languages/text.ts'
import type { Params, Say, Sentence } from '../../../model/declaration/operation.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { ATTRIBUTE_UPDATE, ownReasons } from '../../../model/nouns/deal/params.ts'
import { happenings } from '../../../model/nouns/event-types.ts'
import { choiceTitle, fieldTitle } from '../../../representations/html/field-title.ts'
import { label } from '../../../representations/html/label.ts'
import { phrase } from '../../../representations/html/phrase.ts'
import { html, type Markup } from '../../../representations/markup/markup.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { decimal } from '../money.ts'
import { personName } from '../person.ts'
import type { Amount, ShownEntry } from '../shown.ts'

/** The context of a history entry. */
export interface EntryContext {
  readonly currency: string
  /** The resource of the history. */
  readonly resource: Resource
}

type Entry = Pick<ShownEntry, 'operation' | 'params' | 'customer'>

/** The actor and the operation's own words. Without an actor, as in an open service, it begins with the verb. */
export function entryMarkup(entry: Entry & Pick<ShownEntry, 'actor' | 'key'>, context: EntryContext): Markup {
  const { done, with: places, said } = sentenceOf(entry, context)
  const told =
    entry.actor === null
      ? phrase(withoutActor(done), { ...places })
      : phrase(withActor(done), { ...places, actor: actorMarkup(entry) })
  return html`${told}${said !== undefined && said !== ATTRIBUTE_UPDATE && html` <q>${reasonText(said)}</q>`}`
}

/** The user, and the key that a program used. */
const actorMarkup = ({ actor, key }: Pick<ShownEntry, 'actor' | 'key'>): Markup =>
  html`<b>${personName(actor ?? '')}</b>${key !== undefined && html` <small>(${key})</small>`}`

/** A reason that the service filled in is translated; that of an attribute update is left out. */
const reasonText = (said: string): Words => (ownReasons.includes(said) ? say(said) : said)

/** What was done, without who and why. */
export function doneText(entry: Entry, context: EntryContext): Text {
  const { done, with: places } = sentenceOf(entry, context)
  return say(withoutActor(done), places)
}

/** The texts that pages translate for a sentence: with its actor, and without one. */
export const withActor = (done: string): string => `{actor} ${done}`
export const withoutActor = (done: string): string => capitalized(done)

/** The text for an operation that no longer exists. */
export const UNKNOWN = 'did “{operation}”'

/** An operation that no longer exists is named. */
function sentenceOf({ operation, params, customer }: Entry, { currency, resource }: EntryContext): Sentence<Words> {
  const known = happenings(resource.schema).find(({ name, on }) => name === operation && on === resource)
  if (known === undefined) return { done: UNKNOWN, with: { operation: label(operation) } }
  return known.sentence(params as Params, saying(resource, currency, customer))
}

/** The title of a value that admins arrange. */
const wordIn = (kinds: Resource['kinds'], value: string): Text | undefined =>
  Object.values(kinds)
    .filter(({ words }) => words?.has(value))
    .map((kind) => choiceTitle(kind, value))[0]

const saying = ({ kinds }: Resource, currency: string, customer: string | undefined): Say<Words> => ({
  amount: (value) => joined([decimal((value ?? 0) as unknown as Amount, currency), currency], ' '),
  date: (value) => dateText(String(value)),
  number: (value) => numberText(Number(value)),
  choice: (value) => wordIn(kinds, String(value)) ?? say(label(String(value))),
  name: (_resource, id) => customer ?? say('Customer {number}', { number: String(id) }),
  fields: (names) => eachOfText(names.map((name) => fieldTitle(name, kinds[name]))),
  person: (name) => personName(String(name)),
})
