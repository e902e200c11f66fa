import { setImmediate } from 'node:timers/promises'
import {
  type ExecutionResult,
  executeRootSelectionSet,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  validateExecutionArgs,
} from 'graphql'
import type { Problem, RefusedCall } from '../../http/contract/problems/problem.ts'
import { guardsMany } from '../../http/write/intent.ts'
import { answerBounds } from '../../values/bounds.ts'
import { type Fault, within } from '../../values/faults/fault.ts'
import { unknownMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { tooLarge } from './document-limits.ts'
import { documentsFor } from './documents.ts'
import { costProblem } from './estimate.ts'
import type { GraphqlRequest } from './request.ts'
import { refusalOf } from './schema/changes.ts'
import { type GraphqlContext, problemError } from './schema/context.ts'
import { relatedReads } from './schema/related.ts'
import { graphqlSchema } from './schema/schema.ts'

/** Executes a request within its limits; without `data` if it was refused before. */
export async function executeRequest(
  { query, operationName, variables }: GraphqlRequest,
  call: DoorCall,
): Promise<ExecutionResult | RefusedCall> {
  const prepared = documentsFor(call.schema)(query)
  if ('errors' in prepared) return prepared
  const { document } = prepared
  const operation = getOperationAST(document, operationName)
  // GET is safe, so that links, prefetches and pages of other sites change nothing.
  if (operation?.operation === 'mutation' && call.method !== 'POST') return { problem: onlyPosted }
  const guarded = guardFault(operation, call)
  if (guarded !== undefined) return { problem: guarded }
  const undeclared = undeclaredVariables(operation, variables)
  if (undeclared.length > 0) return { errors: [problemError({ code: 'malformed-body', errors: undeclared })] }
  if ('misused' in prepared) {
    return { errors: await Promise.all(prepared.misused.map((each) => refusalOf(each, variables ?? {}, call))) }
  }
  const stop = new AbortController()
  const args = validateExecutionArgs({
    schema: graphqlSchema(call.schema),
    document,
    operationName,
    variableValues: variables,
    contextValue: contextOf(call, stop, isAlone(operation)),
    fieldResolver: (source, _args, { weigh }: GraphqlContext, { fieldName }) => {
      const value = source[fieldName]
      weigh(value)
      return value
    },
    abortSignal: stop.signal,
  })
  if (!('schema' in args)) return { errors: args }
  const problem = costProblem(args)
  if (problem !== undefined) return { errors: [problemError(problem)] }
  try {
    return await executeRootSelectionSet(args)
  } catch (cause) {
    if (stop.signal.aborted) return { errors: [problemError(tooLongAnswer(args.operation.operation))] }
    throw cause
  }
}

/** A precondition outside the content refers to the one thing that the only mutation changes. */
function guardFault(operation: OperationDefinitionNode | null | undefined, call: DoorCall): Problem | undefined {
  if (operation?.operation !== 'mutation') return guardsMany(call, 'nothing')
  return isAlone(operation) ? undefined : guardsMany(call, 'mutation')
}

/** GraphQL would ignore variables that the operation does not declare, but one of them may be a guard. decisions/0040 */
const undeclaredVariables = (
  operation: OperationDefinitionNode | null | undefined,
  variables: GraphqlRequest['variables'] = {},
): readonly Fault[] => {
  const declared = operation?.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
  return operation ? unknownMembers(variables, declared).map((fault) => within('/variables', fault)) : []
}

/** Whether an operation has one field. */
function isAlone(operation: OperationDefinitionNode | null | undefined): boolean {
  const [only, ...others] = operation?.selectionSet.selections ?? []
  return others.length === 0 && only?.kind === Kind.FIELD
}

function contextOf(call: DoorCall, stop: AbortController, alone: boolean): GraphqlContext {
  call.budget.openBatch()
  let changes = 0
  let values = 0
  return {
    call,
    related: relatedReads(call),
    nextChange: () => (alone ? undefined : changes++),
    weigh: (value) => {
      values++
      if (typeof value === 'string' && call.budget.answer(value.length) !== undefined) stop.abort()
    },
    // By the amount of work, not by the time: things related to a page are read together.
    turn: () => {
      values += ITEM
      if (values < AT_A_TIME) return undefined
      values = 0
      return setImmediate()
    },
  }
}

/**
 * The number of values answered before others have their turn, some milliseconds of work; an item counts as several.
 */
const AT_A_TIME = 5000
const ITEM = 5

const onlyPosted: Problem = {
  code: 'method-not-allowed',
  detail: 'A mutation is sent with POST.',
  headers: { allow: 'POST' },
}

/** A client must learn that its changes were made, although their results are left out. */
const tooLongAnswer = (operation: string): Problem =>
  tooLarge(
    `The texts of the answer have more than ${answerBounds.answered.toLocaleString('en')} characters.${operation === 'mutation' ? ' What was changed before stays changed.' : ''}`,
  )
