import { keyOperations } from '../user/key.ts'
import { userOperations } from '../user/operations.ts'
import { sessionOperations } from '../user/session.ts'
import { deliveryOperations } from '../webhook/delivery.ts'
import { webhookOperations } from '../webhook/operations.ts'
import type { ManagedIntent, ManagedOperation } from './managed-operation.ts'

/** Everything that can be done with what is managed. */
export const managedOperations = [
  ...Object.values(userOperations),
  ...Object.values(keyOperations),
  ...Object.values(sessionOperations),
  ...Object.values(webhookOperations),
  ...Object.values(deliveryOperations),
] as unknown as readonly ManagedOperation[]

const byName = new Map(managedOperations.map((operation) => [`${operation.on} ${operation.name}`, operation]))

export function managedOperation({ on, operation }: Pick<ManagedIntent, 'on' | 'operation'>) {
  const found = byName.get(`${on} ${operation}`)
  if (found === undefined) throw new Error(`nobody knows how to ${operation} a ${on}`)
  return found
}
