import { BadSetting, readSettings } from '../config.ts'
import { UnusableDatabase } from '../store/port/opening.ts'
import { StoreUnavailable } from '../store/port/store.ts'
import { isStoreFault } from '../store/sqlite/connect/faults.ts'
import { exitCodes, Failure, fileFailure } from './failure.ts'

/** The command line. A failure that an operator can fix is one line; anything else is a defect and shows its trace. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    // Without arguments, do not load the argument parser.
    if (args.length > 0) return await (await import('./program.ts')).runProgram(args)
    const settings = readSettings(process.env)
    const { serve } = await import('./actions/run-service.ts')
    await serve(settings, {})
  } catch (cause) {
    fail(cause)
  }
}

/** Exits with one line that says what went wrong. */
export function fail(cause: unknown): never {
  const failure = told(cause)
  if (!isForOperator(failure)) throw failure
  process.stderr.write(`dealdesk: ${(failure as Error).message.replaceAll(/\s+/g, ' ')}\n`)
  process.exit(exitCodes.failed)
}

/** Errors of files and disks are for the operator, in whichever command they occur. */
function told(cause: unknown): unknown {
  const { path, message } = cause as NodeJS.ErrnoException
  if (isStoreFault(cause)) return new Failure(`the database cannot be used: ${message}`, { cause })
  return typeof path === 'string' ? fileFailure(path, cause) : cause
}

const operatorErrors = [BadSetting, UnusableDatabase, StoreUnavailable, Failure]

const isForOperator = (cause: unknown): boolean => operatorErrors.some((type) => cause instanceof type)
