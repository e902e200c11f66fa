import { say } from '../../languages/say.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { dayMarkup, instantMarkup } from '../parts/moment.ts'
import { nameOf } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { isOffered, type OperationOffer, offerForm } from './offers.ts'
import { streamPanel, type ThingPage } from './view.ts'

/** The texts of a deleted thing. A language file has them for each resource that keeps deleted things. */
export const deletedTexts = ({ name, plural }: { readonly name: string; readonly plural: string }) => ({
  all: `Deleted ${plural}`,
  this: `This ${name} was deleted`,
})

/** A deleted thing, which can be restored. */
export function deletedPage(page: ThingPage): Markup {
  const { resource, screen, thing, offers, addresses } = page
  const texts = deletedTexts(resource)
  const deletedAt = String(thing.deletedAt ?? thing.updatedAt)
  const when = phrase('It was deleted {when} and can be restored until {until}.', {
    when: instantMarkup(deletedAt),
    until: dayMarkup(deletedAt, screen.daysToRestore),
  })
  const head = pageHead({
    crumbs: crumb(`${addresses.base}${resource.path}?deleted=true`, say(texts.all)),
    title: nameOf(resource, thing),
    marks: screen.marks?.(thing, page),
    watch: thing.id,
  })
  const restore = offers.find(({ operation }) => operation.to === 'deleted')
  const gone = html`<p>${when}</p>
${restore && restoring(restore)}`
  return html`${head}${panel('gone', say(texts.this), gone)}${streamPanel(page)}`
}

const restoring = (restore: OperationOffer): Markup =>
  isOffered(restore)
    ? offerForm(restore, 'restore')
    : html`<p>${phrase('It cannot be restored: {why}.', { why: told(restore.whyNot) })}</p>`
