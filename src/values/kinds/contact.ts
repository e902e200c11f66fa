import { nameText, text } from './text.ts'

/** A phone number, as people write it. */
export const phone = text({ min: 1, max: 50 })

/** The address of a page. */
export const url = nameText({
  min: 1,
  max: 2000,
  pattern: {
    regex: /^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#]+\S*$/,
    fault: { code: 'malformed', with: { wants: 'web-address' } },
  },
})
