import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { framedForm } from '../forms/framed-form.ts'
import { panel } from '../parts/panel.ts'
import type { RefusedForm } from './as-sent.ts'
import type { FormsOf } from './forms.ts'

interface AskedAgain extends Pick<FormsOf, 'user' | 'hasPassword' | 'addresses'> {
  readonly sent?: RefusedForm
}

/** Asks for the password if a change needs it, and sends it with the entered values. */
export function signInAgain({ sent, hasPassword, user, addresses }: AskedAgain): Markup | undefined {
  if (sent === undefined || !asksAgain(sent)) return undefined
  if (!hasPassword)
    return html`<p><a class="button" href="${signInHref(user.name, addresses)}">${say('Sign in again')}</a></p>\n`
  const entered = [...sent.fields].filter(([name]) => name !== 'password')
  const form = {
    title: say('Confirm that it is you'),
    action: sent.address,
    method: 'post',
    submit: say('Go on'),
    fields: [
      {
        name: 'password',
        label: say('Your password'),
        schema: { type: 'string', format: 'password', maxLength: 1024 },
        required: true,
        autocomplete: 'current-password',
        isFirst: true,
      },
    ],
    hidden: Object.fromEntries(entered),
  } as const
  return panel('again', form.title, framedForm(form, 'again-form'))
}

/** A form that sets a password has its own field for the old one. */
const asksAgain = ({ part, refusal: { code } }: RefusedForm): boolean =>
  code === 'sign-in-again' || (code === 'wrong-password' && part !== 'passwords')

const signInHref = (name: string, { signIn, user, base }: FormsOf['addresses']): string =>
  `${signIn}?return=${encodeURIComponent(user(name).slice(base.length))}`
