import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask, unlessTooCostly } from '../parts/ask.ts'
import { untilChanged } from '../parts/until-changed.ts'

/** Those of the fields that no thing has a value for. */
export async function readUnfilled(
  resource: Resource,
  fields: readonly string[],
  desk: Desk,
): Promise<readonly string[]> {
  const filled = await Promise.all(
    fields.map((field) => unlessTooCostly(isFilled(desk, `${resource.plural} ${field}`, resource, field), true)),
  )
  return fields.filter((_, at) => filled[at] === false)
}

const isFilled = untilChanged(async (desk: Desk, _key: string, resource: Resource, field: string) => {
  const search = `${field}.null=false&sort=${field}&maxpagesize=1`
  return (await ask(desk, collectionOf(resource), search)).items.length > 0
})
