import { type DocumentNode, GraphQLError, parse, validate } from 'graphql'
import { bySchema } from '../../model/by-schema.ts'
import type { Schema } from '../../model/schema.ts'
import { memoize } from '../../values/memoize.ts'
import { argumentsRule } from './arguments-rule.ts'
import { documentProblem, limits, tooLarge } from './document-limits.ts'
import { problemError } from './schema/context.ts'
import { graphqlSchema } from './schema/schema.ts'

/** A document that can be executed, or why it cannot. */
export type PreparedDocument =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }
  /** Mutations lack parameters of their operations, or have others. */
  | { readonly document: DocumentNode; readonly misused: readonly GraphQLError[] }

/** Reads and validates a document. Clients send the same ones again and again, so some are kept. */
export const documentsFor = bySchema((schema: Schema) => memoize((text) => readDocumentText(text, schema), 100, 4000))

function readDocumentText(text: string, schema: Schema): PreparedDocument {
  try {
    const document = parse(text, {
      maxSourceLength: limits.characters,
      maxLexicalTokens: limits.tokens,
      maxComments: limits.tokens,
    })
    const problem = documentProblem(document)
    if (problem !== undefined) return { errors: [problemError(problem)] }
    const types = graphqlSchema(schema)
    const misused = validate(types, document, [argumentsRule(schema)])
    if (misused.length > 0) return { document, misused }
    const errors = validate(types, document, undefined, { maxErrors: MOST_ERRORS })
    return errors.length > 0 ? { errors } : { document }
  } catch (cause) {
    if (cause instanceof RangeError) return refused('The document is nested too deeply to be read.')
    if (!(cause instanceof GraphQLError)) throw cause
    return cause.message.endsWith('Parsing aborted.') ? refused(cause.message) : { errors: [cause] }
  }
}

const MOST_ERRORS = 20

const refused = (detail: string): PreparedDocument => ({ errors: [problemError(tooLarge(detail))] })
