import { record } from '../nouns/audit/record.ts'
import { customer } from '../nouns/customer/customer.ts'
import { customerOperations } from '../nouns/customer/operations.ts'
import { deal } from '../nouns/deal/deal.ts'
import { dealOperations } from '../nouns/deal/operations.ts'
import { field } from '../nouns/field/field.ts'
import { fieldOperations } from '../nouns/field/operations.ts'
import { upload, uploadOperations } from '../nouns/imports/upload.ts'
import { pipelineOperations } from '../nouns/pipeline/operations.ts'
import { pipeline } from '../nouns/pipeline/pipeline.ts'
import { rateOperations } from '../nouns/rate/operations.ts'
import { rate } from '../nouns/rate/rate.ts'
import { roleOperations } from '../nouns/role/operations.ts'
import { role } from '../nouns/role/role.ts'
import { targetOperations } from '../nouns/target/operations.ts'
import { target } from '../nouns/target/target.ts'
import { taskOperations } from '../nouns/task/operations.ts'
import { task } from '../nouns/task/task.ts'
import { teamOperations } from '../nouns/team/operations.ts'
import { team } from '../nouns/team/team.ts'
import { key, keyOperations } from '../nouns/user/key.ts'
import { userOperations } from '../nouns/user/operations.ts'
import { session, sessionOperations } from '../nouns/user/session.ts'
import { user } from '../nouns/user/user.ts'
import { viewOperations } from '../nouns/view/operations.ts'
import { view } from '../nouns/view/view.ts'
import { delivery, deliveryOperations } from '../nouns/webhook/delivery.ts'
import { webhookOperations } from '../nouns/webhook/operations.ts'
import { webhook } from '../nouns/webhook/webhook.ts'

/** Every declared resource with its operations. A schema is built from them. */
export const nouns = [
  { resource: deal, operations: dealOperations },
  { resource: customer, operations: customerOperations },
  { resource: task, operations: taskOperations },
  { resource: rate, operations: rateOperations },
  { resource: target, operations: targetOperations },
  { resource: view, operations: viewOperations },
  { resource: field, operations: fieldOperations },
  { resource: pipeline, operations: pipelineOperations },
  { resource: user, operations: userOperations },
  { resource: session, operations: sessionOperations },
  { resource: key, operations: keyOperations },
  { resource: webhook, operations: webhookOperations },
  { resource: delivery, operations: deliveryOperations },
  { resource: upload, operations: uploadOperations },
  { resource: record, operations: [] },
  { resource: team, operations: teamOperations },
  { resource: role, operations: roleOperations },
] as const
