import { say } from '../../languages/say.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { pageHead } from '../parts/page-head.ts'
import type { FinalQuestion } from './question.ts'

export function confirmationPage({ title, name, form, href }: FinalQuestion): Markup {
  const yes = html`<button class="danger" type="submit">${say('Yes: {action}', { action: title })}</button>`
  return html`${pageHead({ title: phrase('{action}: {name}?', { action: title, name }) })}
<section class="panel" aria-label="${say('The question')}"><p>${say('This is final. It cannot be undone.')}</p>
<form method="post" action="${form.action}" aria-label="${title}">
${contentMarkup(form, 'sure')}<p class="send">${yes} <a href="${href}">${say('No, keep it')}</a></p>
</form></section>
`
}
