import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { HostedCommand, HostedEnd } from './command-host.ts'

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, in a process that this one keeps for all of its commands; they take turns. */
export function runHosted(command: HostedCommand): Promise<HostedEnd> {
  const ended = last.then(() => ask(command))
  last = ended.catch(() => {})
  return ended
}

async function ask(command: HostedCommand): Promise<HostedEnd> {
  host ??= startHost()
  const { channel } = host
  channel?.ref?.()
  const heard = new AbortController()
  const { signal } = heard
  const gone = once(host, 'exit', { signal }).then(([code]) => {
    throw new Error(`the host of commands ended with ${code}: ${command.args.join(' ')}`)
  })
  try {
    const answered = once(host, 'message', { signal })
    host.send(command)
    const [end] = await Promise.race([answered, gone])
    return end as HostedEnd
  } catch (cause) {
    host = undefined
    throw cause
  } finally {
    heard.abort()
    gone.catch(() => {})
    channel?.unref?.()
  }
}

/** It ends with this process, and does not keep it from ending. */
function startHost(): ChildProcess {
  const started = fork(join(import.meta.dirname, 'command-host.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  started.stderr?.pipe(process.stderr)
  started.unref()
  ;(started.stderr as unknown as { unref?(): void } | null)?.unref?.()
  return started
}
