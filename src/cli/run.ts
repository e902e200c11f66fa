import { BadSetting, readSettings } from '../config.ts'
import { UnusableDatabase } from '../store/port/opening.ts'
import { StoreUnavailable } from '../store/port/store.ts'
import { exitCodes, Failure, fileFailure } from './failure.ts'

/** The command line. A failure that an operator can fix is one line; anything else is a defect and shows its trace. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    // Without arguments, do not load the argument parser.
    if (args.length > 0) return await (await import('./program.ts')).runProgram(args)
    const settings = readSettings(process.env)
    const { serve } = await import('./actions/run-service.ts')
    await serve(settings, { demo: false })
  } catch (cause) {
    fail(cause)
  }
}

/** Ends with the line that tells what went wrong. */
export function fail(cause: unknown): never {
  const { path } = cause as NodeJS.ErrnoException
  // A file that could not even be looked at, whoever asked for it.
  const failure = typeof path === 'string' ? fileFailure(path, cause) : cause
  if (!isForOperator(failure)) throw failure
  process.stderr.write(`dealdesk: ${(failure as Error).message.replaceAll(/\s+/g, ' ')}\n`)
  process.exit(exitCodes.failed)
}

const operatorErrors = [BadSetting, UnusableDatabase, StoreUnavailable, Failure]

const isForOperator = (cause: unknown): boolean => operatorErrors.some((type) => cause instanceof type)
