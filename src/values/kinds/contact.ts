import type { Kind } from './kind.ts'
import { nameText, text } from './text.ts'

/** A phone number, as people write it. */
export const phone: Kind<string> = { ...text({ min: 1, max: 50 }), contact: 'tel' }

/** The address of a page. */
export const url: Kind<string> = {
  ...nameText({
    min: 1,
    max: 2000,
    pattern: {
      regex: /^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#]+\S*$/,
      fault: { code: 'malformed', with: { wants: 'web-address' } },
    },
  }),
  contact: 'url',
}
