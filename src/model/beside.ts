import type { Members } from '../values/members.ts'
import { membersToCreate } from './resource.ts'
import type { Resource } from './schema.ts'

/** The short texts that a search looks at: they tell a thing apart from its namesakes. */
export function distinctive({ searched = [], kinds }: Resource): readonly string[] {
  return searched.filter((name) => {
    const { schema } = kinds[name] ?? {}
    return schema !== undefined && !('maxLength' in schema && Number(schema.maxLength) > LONGEST_SHOWN)
  })
}

const LONGEST_SHOWN = 500

/** What a new thing is made of beside a reference to it; undefined if that is not enough to make one. */
export function membersBeside(resource: Resource): Members | undefined {
  const members = membersToCreate(resource)
  const shown = distinctive(resource)
  const isMade = resource.operations.some(({ to }) => to === 'nothing')
  const isEnough = Object.entries(members).every(([name, { required }]) => !required || shown.includes(name))
  if (!isMade || !isEnough) return undefined
  return Object.fromEntries(Object.entries(members).filter(([name]) => shown.includes(name)))
}
