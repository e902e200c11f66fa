import type { Kind } from './kind.ts'
import { nameText } from './text.ts'

export const email: Kind<string> = {
  ...nameText({
    min: 3,
    max: 320,
    pattern: { regex: /^[^\s@]+@[^\s@]+$/, fault: { code: 'malformed', with: { wants: 'email' } } },
  }),
  contact: 'email',
}
