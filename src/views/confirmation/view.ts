import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import type { FinalQuestion } from './question.ts'

export const confirmationPage = ({
  title,
  name,
  form,
  href,
}: FinalQuestion): Markup => html`<header class="head"><div><h1>${phrase('{action}: {name}?', { action: title(), name })}</h1></div></header>
<section class="panel" aria-label="${say('The question')}"><p>${say('This is final. It cannot be undone.')}</p>
${framedForm({ ...form, title: title(), submit: say('Yes, delete it') }, 'sure-form')}
<p><a href="${href}">${say('No, keep it')}</a></p></section>
`
