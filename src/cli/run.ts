import { parseArgs } from 'node:util'
import { BadSetting, readSettings, type Settings } from '../config.ts'
import { UnusableDatabase } from '../store/unusable.ts'

/** The command line. What an operator can mend is said in one line; anything else is a defect and shows its trace. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    const settings = readSettings(process.env)
    if (args[0] === 'user' || args[0] === 'key') return await runCredentials(args[0], args.slice(1), settings)
    if (args.length > 0) throw new BadSetting(`unknown command ${args[0]}`)
    const { serve } = await import('./serve.ts')
    await serve(settings)
  } catch (cause) {
    if (!isForOperator(cause)) throw cause
    process.stderr.write(`dealdesk: ${(cause as Error).message.replaceAll(/\s+/g, ' ')}\n`)
    process.exit(1)
  }
}

async function runCredentials(kind: 'user' | 'key', args: readonly string[], settings: Settings): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [verb, name = ''] = positionals
  const { userAdd, keyAdd, credentialList, credentialRemove } = await import('./credentials.ts')
  const { ownTerminal } = await import('./terminal.ts')
  if (verb === 'list') return credentialList(settings, kind, ownTerminal)
  if (verb === 'remove') return credentialRemove(settings, kind, name, ownTerminal)
  if (verb !== 'add') throw new BadSetting(`expected ${kind} add NAME --role ROLE, ${kind} list or ${kind} remove NAME`)
  return (kind === 'user' ? userAdd : keyAdd)(settings, name, values.role ?? '', ownTerminal)
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { role: { type: 'string' } }, allowPositionals: true })
  } catch (cause) {
    throw new BadSetting((cause as Error).message)
  }
}

const listening: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a known host',
  EAI_AGAIN: 'is not a known host',
}

function isForOperator(cause: unknown): boolean {
  if (cause instanceof BadSetting || cause instanceof UnusableDatabase) return true
  const { code, address, port } = cause as { code?: string; address?: string; port?: number }
  const reason = listening[code ?? '']
  if (reason === undefined || !(cause instanceof Error)) return false
  cause.message = `HOST=${address ?? process.env.HOST} PORT=${port ?? process.env.PORT ?? 8080} ${reason}`
  return true
}
