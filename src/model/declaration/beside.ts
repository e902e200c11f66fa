import type { Members } from '../../values/members.ts'
import { bySchema } from './by-schema.ts'
import { membersToCreate } from './resource.ts'
import type { Resource } from './schema.ts'

/** The short searched texts: they distinguish a thing from its namesakes. Added ones may be many, and are not among them. */
export const distinctive = bySchema(({ searched = [], kinds }: Resource): readonly string[] =>
  searched.filter((name) => {
    const { schema, titled } = kinds[name] ?? {}
    return (
      titled === undefined &&
      schema !== undefined &&
      !('maxLength' in schema && Number(schema.maxLength) > LONGEST_SHOWN)
    )
  }),
)

const LONGEST_SHOWN = 500

/** The members of a new thing next to a reference to it; undefined if they do not suffice to create one. */
export function membersBeside(resource: Resource): Members | undefined {
  const members = membersToCreate(resource)
  const shown = distinctive(resource).filter((name) => !resource.uniques.includes(name))
  const isMade = resource.operations.some(({ to }) => to === 'nothing')
  const isEnough = Object.entries(members).every(([name, { required }]) => !required || shown.includes(name))
  if (!isMade || !isEnough) return undefined
  return Object.fromEntries(Object.entries(members).filter(([name]) => shown.includes(name)))
}
