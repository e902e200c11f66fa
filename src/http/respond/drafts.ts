import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Document } from '../../representations/document.ts'
import type { Stored, StoredEvent } from '../../store/port/desk.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import type { Addresses } from '../contract/addresses.ts'

// The result of a dry run for things that do not exist: no id, and no link to nowhere. decisions/0009

export function thingDraft(resource: Resource, thing: Stored, addresses: Addresses): Document {
  const related = resource.references.flatMap(({ field, to }) => {
    const id = thing[field]
    return id === null || id === undefined
      ? []
      : [[to, addresses.thing(resourceNamed(resource.schema, to), id as Key)] as const]
  })
  const links = { collection: addresses.base + resource.path, ...Object.fromEntries(related) }
  return draft(resource.name, thing.json, ['id'], links)
}

export const entryDraft = (resource: Resource, event: StoredEvent, subject: Key, addresses: Addresses): Document =>
  draft('entry', event.entry, ['commandId'], { [resource.name]: addresses.thing(resource, subject) })

/** Nothing was decided, so there is neither a status nor an instant. */
export function commandDraft(command: Command, isNew: boolean, addresses: Addresses, schema: Schema): Document {
  const { resource, subject, action, params, revision } = command
  const json = JSON.stringify({ [resource]: subject, action, params, revision })
  const links = isNew ? {} : { [resource]: addresses.thing(resourceNamed(schema, resource), subject) }
  return draft('command', json, isNew ? [resource] : [], links)
}

function draft(
  item: string,
  json: string,
  without: readonly string[],
  links: { readonly [relation: string]: string },
): Document {
  return {
    title: 'Result of the dry run',
    kind: 'resource',
    item,
    json: JSON.stringify({ ...membersOf(json, without), links }),
  }
}

export function membersOf(json: string, without: readonly string[]): object {
  return Object.fromEntries(Object.entries(parseExact(json) as object).filter(([name]) => !without.includes(name)))
}
