import { upload, uploadOperations } from '../imports/upload.ts'
import { record } from '../managed/audit.ts'
import { key, keyOperations } from '../user/key.ts'
import { userOperations } from '../user/operations.ts'
import { session, sessionOperations } from '../user/session.ts'
import { user } from '../user/user.ts'
import { delivery, deliveryOperations } from '../webhook/delivery.ts'
import { webhookOperations } from '../webhook/operations.ts'
import { webhook } from '../webhook/webhook.ts'

/** All managed resources, with their operations. Code for ordinary resources does not see them. */
export const managedNouns = [
  { resource: user, operations: Object.values(userOperations) },
  { resource: session, operations: Object.values(sessionOperations) },
  { resource: key, operations: Object.values(keyOperations) },
  { resource: webhook, operations: Object.values(webhookOperations) },
  { resource: delivery, operations: Object.values(deliveryOperations) },
  { resource: upload, operations: Object.values(uploadOperations) },
  { resource: record, operations: [] },
] as const
