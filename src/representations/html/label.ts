import { capitalized } from '../../values/kinds/text.ts'
import { memoize } from '../../values/memoize.ts'

/** A member's name in plain words: `completionDate` is "Completion date", `change-price` is "Change price". */
export const label = memoize((name: string): string => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_.]+/g, ' ')
    .toLowerCase()
  return capitalized(words)
}, 1024)
