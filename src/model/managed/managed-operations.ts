import { deliveryOperations } from '../webhook/delivery.ts'
import { webhookOperations } from '../webhook/operations.ts'
import type { ManagedOperation } from './managed-operation.ts'

/** Everything that can be done with what is managed. */
export const managedOperations = [
  ...Object.values(webhookOperations),
  ...Object.values(deliveryOperations),
] as unknown as readonly ManagedOperation[]

const byName = new Map(managedOperations.map((operation) => [`${operation.on} ${operation.name}`, operation]))

export function managedOperation({ on, operation }: { readonly on: string; readonly operation: string }) {
  const found = byName.get(`${on} ${operation}`)
  if (found === undefined) throw new Error(`nobody knows how to ${operation} a ${on}`)
  return found
}
