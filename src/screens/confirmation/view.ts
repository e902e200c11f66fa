import { say } from '../../languages/say.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { pageHead } from '../parts/page-head.ts'
import type { FinalQuestion } from './question.ts'

export function confirmationPage({ title, yes, name, form, href }: FinalQuestion): Markup {
  const button = html`<button class="danger" type="submit">${yes}</button>`
  return html`${pageHead({ title: phrase('{action}: {name}?', { action: title, name }) })}
<section class="panel" aria-label="${say('The question')}"><p>${say('This is final. It cannot be undone.')}</p>
<form method="post" action="${form.action}" aria-label="${title}">
${contentMarkup(form, 'sure')}<p class="send">${button} <a href="${href}">${say('No, keep it')}</a></p>
</form></section>
`
}
