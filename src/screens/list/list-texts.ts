import type { Resource } from '../../model/schema.ts'

/** What a list says of its things. A language file has them for each resource; a new one is spoken of in English. */
export const listTexts = ({ name, plural }: Pick<Resource, 'name' | 'plural'>) => ({
  new: `New ${name}`,
  none: `No ${plural} yet.`,
  noMatch: `No ${plural} match.`,
  all: `Show all ${plural}`,
  count: `{count} ${plural}`,
  shown: `{count} ${plural} shown`,
  part: `{shown} of {count} ${plural} shown`,
})
