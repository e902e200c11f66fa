import { format } from 'node:util'

// A process that runs one command after the other, each as a process of its own would: with its environment, folder and
// streams. What they load is loaded once.

export interface HostedCommand {
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly folder: string
}

export interface HostedEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

const { run } = await import('../../../src/cli/run.ts')
const end = process.exit.bind(process)

process.on('disconnect', () => end(0))
process.on('message', async (command: HostedCommand) => process.send?.(await runHere(command)))

async function runHere({ args, environment, folder }: HostedCommand): Promise<HostedEnd> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.chdir(folder)
  process.exitCode = undefined
  const [stdout, stderr] = [gather(process.stdout), gather(process.stderr)]
  process.exit = (code): never => {
    throw new Exit(Number(code ?? process.exitCode ?? 0))
  }
  let code: number
  try {
    await run(args)
    code = Number(process.exitCode ?? 0)
  } catch (cause) {
    code = cause instanceof Exit ? cause.code : 1
    if (!(cause instanceof Exit)) process.stderr.write(`${format(cause)}\n`)
  }
  process.stdout.removeAllListeners('error')
  // What the start of a service listens to goes with its process.
  for (const event of ['SIGTERM', 'SIGINT', 'SIGUSR2', 'uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event)
  }
  return { code, stdout: stdout(), stderr: stderr() }
}

/** All that is written from now on; the stream itself gets nothing of it. */
function gather(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    chunks.push(Buffer.from(chunk as string))
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }
  return () => Buffer.concat(chunks).toString('utf8')
}
