import { customer } from '../customer/customer.ts'
import { customerOperations } from '../customer/operations.ts'
import { deal } from '../deal/deal.ts'
import { dealOperations } from '../deal/operations.ts'
import { field } from '../field/field.ts'
import { fieldOperations } from '../field/operations.ts'
import { pipelineOperations } from '../pipeline/operations.ts'
import { pipeline } from '../pipeline/pipeline.ts'
import { rateOperations } from '../rate/operations.ts'
import { rate } from '../rate/rate.ts'
import { targetOperations } from '../target/operations.ts'
import { target } from '../target/target.ts'
import { taskOperations } from '../task/operations.ts'
import { task } from '../task/task.ts'
import { viewOperations } from '../view/operations.ts'
import { view } from '../view/view.ts'

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
] as const
