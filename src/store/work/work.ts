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

/** The work of a name: the caller has checked the types of name and arguments. */
export const workOf = (works: Works, name: PropertyKey, args: readonly unknown[]): Work<unknown> =>
  (works[name as string] as (...args: readonly unknown[]) => Work<unknown>)(...args)

/** Works as methods of a port. */
export type Methods<All extends Works> = {
  readonly [Name in keyof All]: (...args: Parameters<All[Name]>) => Promise<ResultOf<All[Name]>>
}

/** Runs a work by its name, in whichever thread. */
export type RunNamed = (name: string, ...args: readonly unknown[]) => Promise<unknown>

/** Those that only read run as they are, the others in a transaction. */
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
