import type { Row, Statement, Values } from '../sql/statement.ts'

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement
  readonly values: Values
}

/**
 * The work of one transaction, written once for every engine: it yields statements and gets their rows. SQLite runs
 * them synchronously; PostgreSQL sends statements that are yielded together without waiting in between.
 */
export type Work<T> = Generator<readonly BoundStatement[], T, readonly (readonly Row[])[]>

export const bind = (statement: Statement, ...values: Values): BoundStatement => ({ statement, values })

/** The rows of one statement. */
export function* ask(statement: Statement, ...values: Values): Work<readonly Row[]> {
  const [rows = []] = yield [{ statement, values }]
  return rows
}

/** The rows of each statement. */
export function* askAll(statements: readonly BoundStatement[]): Work<readonly (readonly Row[])[]> {
  return statements.length === 0 ? [] : yield statements
}

/** Runs one statement in its own transaction. */
export type RunStatement = (statement: Statement, ...values: Values) => Promise<readonly Row[]>

/** Pieces of work by name, so that another thread can ask for one. */
export type Works = { readonly [name: string]: (...args: never[]) => Work<unknown> }

export type ResultOf<Made> = Made extends (...args: never[]) => Work<infer Result> ? Result : never

/** Works as methods of a port. */
export type Methods<All extends Works> = {
  readonly [Name in keyof All]: (...args: Parameters<All[Name]>) => Promise<ResultOf<All[Name]>>
}

type ResultsOf<W extends readonly Work<unknown>[]> = { readonly [K in keyof W]: W[K] extends Work<infer T> ? T : never }

/** Works whose statements are yielded together, step by step. */
export function* together<const W extends readonly Work<unknown>[]>(works: W): Work<ResultsOf<W>> {
  let steps = works.map((work) => work.next())
  while (steps.some(({ done }) => !done)) {
    const rows = yield steps.flatMap((step) => (step.done ? [] : step.value))
    let from = 0
    steps = steps.map((step, at) => {
      if (step.done) return step
      const own = rows.slice(from, from + step.value.length)
      from += step.value.length
      return works[at]?.next(own) ?? step
    })
  }
  return steps.map(({ value }) => value) as ResultsOf<W>
}
