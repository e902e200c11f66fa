import { say } from '../../languages/say.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import type { FinalQuestion } from './question.ts'

export const confirmationPage = ({
  title,
  name,
  form,
  href,
}: FinalQuestion): Markup => html`<header class="head"><div><h1>${phrase('{action}: {name}?', { action: title, name })}</h1></div></header>
<section class="panel" aria-label="${say('The question')}"><p>${say('This is final. It cannot be undone.')}</p>
<form method="post" action="${form.action}" aria-label="${title}">
${contentMarkup(form, 'sure')}<p class="send"><button class="danger" type="submit">${say('Yes: {action}', { action: title })}</button> <a href="${href}">${say('No, keep it')}</a></p>
</form></section>
`
