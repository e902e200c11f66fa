import { BadSetting, readSettings } from '../config.ts'
import { UnusableDatabase } from '../store/port/opening.ts'
import { StoreUnavailable } from '../store/port/store.ts'
import { exitCodes, Failure } from './failure.ts'

/** The command line. A failure that an operator can fix is one line; anything else is a defect and shows its trace. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    // Without arguments, do not load the argument parser.
    if (args.length > 0) return await (await import('./program.ts')).runProgram(args)
    const settings = readSettings(process.env)
    const { serve } = await import('./actions/run-service.ts')
    await serve(settings, { demo: false })
  } catch (cause) {
    if (!isForOperator(cause)) throw cause
    process.stderr.write(`dealdesk: ${(cause as Error).message.replaceAll(/\s+/g, ' ')}\n`)
    process.exit(exitCodes.failed)
  }
}

const operatorErrors = [BadSetting, UnusableDatabase, StoreUnavailable, Failure]

const listening: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a known host',
  EAI_AGAIN: 'is not a known host',
}

function isForOperator(cause: unknown): boolean {
  if (operatorErrors.some((type) => cause instanceof type)) return true
  const { code, address, port } = cause as { code?: string; address?: string; port?: number }
  const reason = listening[code ?? '']
  if (reason === undefined || !(cause instanceof Error)) return false
  cause.message = `HOST=${address ?? process.env.HOST} PORT=${port ?? process.env.PORT ?? 8080} ${reason}`
  return true
}
