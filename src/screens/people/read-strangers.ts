import type { Call } from '../../http/contract/endpoint.ts'
import { personFields } from '../../model/intent/persons.ts'
import { collectionOf } from '../../queries/collections.ts'
import { memberIn } from '../../values/members.ts'
import { askGroups, unlessTooCostly } from '../parts/ask.ts'

/** A text in fields for persons that is no user's name, and how many fields have it. */
export interface Stranger {
  readonly name: string
  readonly count: number
}

/** All of them, those with the most things first. */
export async function readStrangers({ desk }: Pick<Call, 'desk'>): Promise<readonly Stranger[]> {
  const counts = new Map<string, number>()
  for (const resource of desk.schema.resources) {
    for (const { field } of personFields(resource)) {
      const all = resource.keepsDeleted ? '&deleted=true&deleted=false' : ''
      const search = `${field}.unknown=true&group=${field}&measure=count${all}`
      for (const group of await unlessTooCostly(askGroups(desk, collectionOf(resource), search), [])) {
        const name = String(memberIn(group, field))
        counts.set(name, (counts.get(name) ?? 0) + Number(group.count))
      }
    }
  }
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}
