import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServiceProcess, spawnService } from '../service/service-process.ts'
import { type Client, startClient, type Write } from './command-load.ts'

const CLIENTS = 12

export interface Crashes {
  readonly kills: number
  readonly killsWhileStarting: number
  /** Every write that was answered with success, and those whose answer a crash swallowed. */
  readonly acknowledged: readonly Write[]
  readonly unanswered: number
}

/**
 * Kills the service again and again, half of the times while it starts, and starts it on the same file each time.
 * Clients write all the while; what a crash left unanswered is sent again under its id.
 */
export async function crash(databaseUrl: string, kills: number): Promise<Crashes> {
  const clients = Array.from({ length: CLIENTS }, (_, index) => startClient(`k${index}`))
  let killsWhileStarting = 0
  let startingTime = 400
  for (let kill = 0; kill < kills; kill++) {
    const service = spawnService({ DATABASE_URL: databaseUrl })
    if (kill % 2 === 1) {
      await pause(randomInt(startingTime))
      killsWhileStarting++
    } else {
      const started = performance.now()
      const url = await service.ready
      startingTime = Math.ceil(performance.now() - started)
      await underLoad(clients, url, service)
    }
    service.process.kill('SIGKILL')
    const { signal } = await service.ended
    assert.equal(signal, 'SIGKILL')
  }
  await settle(clients, databaseUrl)
  return {
    kills,
    killsWhileStarting,
    acknowledged: clients.flatMap(({ acknowledged }) => acknowledged),
    unanswered: clients.reduce((sum, { unanswered }) => sum + unanswered, 0),
  }
}

/** Lets the clients write for a while, then kills the service in the middle of their requests. */
async function underLoad(clients: readonly Client[], url: string, service: ServiceProcess): Promise<void> {
  const killing = enoughWrites(clients).then(() => service.process.kill('SIGKILL'))
  await Promise.all([killing, ...clients.map((client) => client.writeUntilBroken(url))])
}

/** Counted in writes, not in time: a busy machine is given as many as an idle one. */
async function enoughWrites(clients: readonly Client[]): Promise<void> {
  const written = () => clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  const enough = written() + 25 + randomInt(50)
  const latest = performance.now() + 10_000
  while (written() < enough && performance.now() < latest) await pause(2)
}

/** What is still unanswered is asked once more, and the service stops as it should. */
async function settle(clients: readonly Client[], databaseUrl: string): Promise<void> {
  const service = spawnService({ DATABASE_URL: databaseUrl })
  const url = await service.ready
  await Promise.all(clients.map((client) => client.askAgain(url)))
  service.process.kill('SIGTERM')
  const { code, stderr } = await service.ended
  assert.equal(code, 0, stderr)
}
