import type { ASTVisitor, ValidationContext } from 'graphql'
import { invalidBody } from '../../http/contract/problems/problem.ts'
import type { Schema } from '../../model/schema.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { unknownMembers } from '../../values/members.ts'
import { mutated } from './schema/changes.ts'
import { problemError } from './schema/context.ts'

/** Refuses missing and unknown parameters of operations in the words that every form has for them. */
export const argumentsRule =
  (schema: Schema) =>
  (context: ValidationContext): ASTVisitor => ({
    Field(node) {
      const isMutation = context.getParentType() === context.getSchema().getMutationType()
      const operation = isMutation ? mutated(node.name.value, schema) : undefined
      const known = context.getFieldDef()?.args
      if (operation === undefined || known === undefined) return
      const sent = Object.fromEntries((node.arguments ?? []).map((each) => [each.name.value, each]))
      const missing = [...(operation.to === 'nothing' ? [] : ['id']), ...requiredBy(operation.params)]
        .filter((name) => !Object.hasOwn(sent, name))
        .map((name): Fault => ({ code: 'required', at: { pointer: `/${name}` } }))
      const unknown = unknownMembers(
        sent,
        known.map(({ name }) => name),
      )
      const faults = [...missing, ...unknown]
      if (faults.length > 0) context.reportError(problemError(invalidBody(faults), node))
    },
  })

const requiredBy = (params: { readonly [name: string]: { readonly required: boolean } }): readonly string[] =>
  Object.entries(params)
    .filter(([, { required }]) => required)
    .map(([name]) => name)
