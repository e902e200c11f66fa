import { nameText } from './text.ts'

export const email = nameText({
  min: 3,
  max: 320,
  pattern: { regex: /^[^\s@]+@[^\s@]+$/, fault: { code: 'malformed', with: { wants: 'email' } } },
})
