import type { Row, Statement, Values } from '../sql/statement.ts'

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement
  readonly values: Values
}

/**
 * What is done in one transaction, written once for every engine: it yields statements and is given their rows.
 * SQLite runs them synchronously; PostgreSQL sends those that are yielded together without waiting in between.
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

/** Runs one statement in a transaction of its own. */
export type RunStatement = (statement: Statement, ...values: Values) => Promise<readonly Row[]>

/** Pieces of work by their names, so that one can be asked for from another thread. */
export type Works = { readonly [name: string]: (...args: never[]) => Work<unknown> }

/** How a driver does them: reads as they are, writes in a transaction. */
export type RunWork<All extends Works> = <Name extends keyof All>(
  name: Name,
  ...args: Parameters<All[Name]>
) => Promise<ResultOf<All[Name]>>

export type ResultOf<Made> = Made extends (...args: never[]) => Work<infer Result> ? Result : never

/** The work of a name: the types of name and arguments were checked where it was asked for. */
export const workOf = (works: Works, name: PropertyKey, args: readonly unknown[]): Work<unknown> =>
  (works[name as string] as (...args: readonly unknown[]) => Work<unknown>)(...args)
