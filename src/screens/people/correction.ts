import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { User } from '../../model/nouns/user/user.ts'
import type { DocumentForm } from '../../representations/document.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { framedForm } from '../forms/framed-form.ts'

/** A text that fields for persons hold, and those who may get what has it. */
export interface Held {
  readonly name: string
  readonly people: readonly Pick<User, 'name' | 'fullName'>[]
  /** The page to which the form leads back, without the base address. */
  readonly back: string
  readonly addresses: Addresses
}

/** Gives somebody else everything that a text is on. */
export function correctionForm({ name, people, back, addresses }: Held, id: string, submit: Text): Markup {
  const others = people.filter((each) => each.name !== name)
  const form: DocumentForm = {
    title: say('Hand over what {name} looks after', { name }),
    action: `${addresses.people}/corrections`,
    method: 'post',
    submit,
    fields: [
      {
        name: 'to',
        label: say('To'),
        schema: { type: 'string' },
        choices: others.map((each) => ({ value: each.name, text: each.fullName ?? each.name })),
        nothing: say('nobody'),
      },
    ],
    hidden: { from: name, _return: back },
  }
  return framedForm(form, id, { plain: true })
}
