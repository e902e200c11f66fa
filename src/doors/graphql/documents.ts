import { type ASTVisitor, type DocumentNode, GraphQLError, parse, type ValidationContext, validate } from 'graphql'
import { invalidBody } from '../../http/contract/problems/problem.ts'
import { actionOf } from '../../http/describe/vocabulary.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { graphqlBounds } from '../../values/bounds.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { unknownMembers } from '../../values/members.ts'
import { memoize } from '../../values/memoize.ts'
import { documentProblem, tooLarge } from './document-limits.ts'
import { mutated } from './schema/changes.ts'
import { problemError } from './schema/context.ts'
import { graphqlSchema } from './schema/schema.ts'

/** A document that can be executed, or why it cannot. */
export type PreparedDocument =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }
  /** Mutations have missing or unknown parameters. */
  | { readonly document: DocumentNode; readonly misused: readonly GraphQLError[] }

/** Reads and validates a document. Clients send the same ones repeatedly, so some are cached. */
export const documentsFor = bySchema((schema: Schema) => memoize((text) => readDocumentText(text, schema), 100, 4000))

function readDocumentText(text: string, schema: Schema): PreparedDocument {
  try {
    const document = parse(text, {
      maxSourceLength: graphqlBounds.characters,
      maxLexicalTokens: graphqlBounds.tokens,
      maxComments: graphqlBounds.tokens,
    })
    const problem = documentProblem(document)
    if (problem !== undefined) return { errors: [problemError(problem)] }
    const types = graphqlSchema(schema)
    const misused = validate(types, document, [argumentsRule(schema)])
    if (misused.length > 0) return { document, misused }
    const errors = validate(types, document, undefined, { maxErrors: graphqlBounds.errors })
    return errors.length > 0 ? { errors } : { document }
  } catch (cause) {
    if (cause instanceof RangeError) return refused('The document is nested too deeply to be read.')
    if (!(cause instanceof GraphQLError)) throw cause
    return cause.message.endsWith('Parsing aborted.') ? refused(cause.message) : { errors: [cause] }
  }
}

const refused = (detail: string): PreparedDocument => ({ errors: [problemError(tooLarge(detail))] })

/** Refuses missing and unknown parameters of operations with the faults of every form. */
const argumentsRule =
  (schema: Schema) =>
  (context: ValidationContext): ASTVisitor => ({
    Field(node) {
      const isMutation = context.getParentType() === context.getSchema().getMutationType()
      const operation = isMutation ? mutated(node.name.value, schema) : undefined
      const known = context.getFieldDef()?.args
      if (operation === undefined || known === undefined) return
      const sent = Object.fromEntries((node.arguments ?? []).map((each) => [each.name.value, each]))
      const missing = actionOf(operation)
        .places.plain.filter(({ name, member }) => member.required && !Object.hasOwn(sent, name))
        .map(({ name }): Fault => ({ code: 'required', at: { pointer: `/${name}` } }))
      const unknown = unknownMembers(
        sent,
        known.map(({ name }) => name),
      )
      const faults = [...missing, ...unknown]
      if (faults.length > 0) context.reportError(problemError(invalidBody(faults), node))
    },
  })
