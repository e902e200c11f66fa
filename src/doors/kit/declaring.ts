import type { DoorRequest } from '../../http/contract/described-door.ts'
import type { Sample } from '../../http/contract/sample.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { roleNeeded } from '../../model/intent/caller.ts'
import { operationNamed } from '../../model/schema/resources.ts'
import type { Json } from '../../values/json/json.ts'
import type { Role } from '../../values/role.ts'

// Shared by the declarations of doors; none of it loads a room.

export const JSON_TYPE = 'application/json'

export const posting = (path: string, body: Json, headers: DoorRequest['headers'] = json): DoorRequest => ({
  method: 'POST',
  path,
  headers,
  body,
})

const json = { 'Content-Type': JSON_TYPE }

/** The arguments of an operation for protocols with named arguments. */
export const byName = ({ operation, params, target }: Sample): Params => ({
  ...(operation.to !== 'nothing' && { id: target }),
  ...params,
})

/** The role for a write to a resource: that of the operation, or of an update if none is named. */
export function writingRole(resource: Resource, operation?: string): Role {
  return roleNeeded(resource, operationNamed(operation, resource))
}

/** Named like its action: `holdDeal`. */
export const mutationName = ({ words: { action } }: Pick<Operation, 'words'>): string =>
  action.charAt(0).toLowerCase() + action.slice(1)

/** An operation's name where names have underscores: `change_deal_price` for `ChangeDealPrice`. */
export const functionName = ({ words }: Pick<Operation, 'words'>): string =>
  words.action.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toLowerCase()
