import { say } from '../../languages/say.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { SentFields } from '../forms/read-picked.ts'
import { explained, type FormRefusal, filledIn } from '../forms/refused-form.ts'
import { refusedNotice } from '../forms/refused-notice.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import type { ExplainedRefusal } from '../problem/why.ts'

export interface CreationPage {
  readonly form: DocumentForm
  /** The collection that it will be in. */
  readonly above: { readonly href: string; readonly text: string }
  /** The previous page. */
  readonly back: string
  /** Why the form was refused. */
  readonly refused?: ExplainedRefusal
  /** Further fields. */
  readonly more?: Screen
}

/** A form for a new thing, on a separate page. */
export function creationPage({ form, above, back, refused, more }: CreationPage): Markup {
  const found = form.fields.findIndex(({ picks }) => picks?.found !== undefined)
  const isWrong = form.fields.some(({ isFirst, picks }) => isFirst || picks?.creation?.some((each) => each.isFirst))
  const fields = form.fields.map((field, at) =>
    at === Math.max(found, 0) && !isWrong ? { ...field, isFirst: true as const } : field,
  )
  const { title, action, submit } = form
  return html`${pageHead({ crumbs: crumb(above.href, say(label(above.text))), title })}
${refused && refusedNotice(refused)}
<form method="post" action="${action}" id="new-form" class="panel new" aria-label="${title}">
${contentMarkup({ ...form, fields }, 'new-form')}${more?.()}
<p class="send"><button type="submit">${submit}</button> <a href="${back}">${say('Cancel|leave')}</a></p>
</form>
`
}

/** The refused form for a new thing; `above` is its collection, `more` follows its fields. */
export function refusedCreation(
  refusal: FormRefusal,
  form: DocumentForm,
  sent: SentFields,
  above: { readonly href: string; readonly text: string },
  more?: Screen,
): Screen {
  const filled = filledIn(form, sent, refusal)
  const page = { form: filled, above, back: above.href, refused: explained(refusal, filled), ...(more && { more }) }
  return () => creationPage(page)
}
