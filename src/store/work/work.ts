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

export type ResultOf<Made> = Made extends (...args: never[]) => Work<infer Result> ? Result : never

/** The work of a name: the types of name and arguments were checked where it was asked for. */
export const workOf = (works: Works, name: PropertyKey, args: readonly unknown[]): Work<unknown> =>
  (works[name as string] as (...args: readonly unknown[]) => Work<unknown>)(...args)

/** Works as methods of a port. */
export type Methods<All extends Works> = {
  readonly [Name in keyof All]: (...args: Parameters<All[Name]>) => Promise<ResultOf<All[Name]>>
}

/** Runs a work by its name, wherever that is. */
export type RunNamed = (name: string, ...args: readonly unknown[]) => Promise<unknown>

/** Those that only read are run as they are, the others in a transaction. */
export function methodsOf<All extends Works>(
  works: All,
  reads: readonly (keyof All)[],
  read: RunNamed,
  write: RunNamed,
): Methods<All> {
  const methods = Object.keys(works).map((name) => {
    const run = reads.includes(name) ? read : write
    return [name, (...args: readonly unknown[]) => run(name, ...args)] as const
  })
  return Object.fromEntries(methods) as unknown as Methods<All>
}
