import assert from 'node:assert/strict'
import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import { startService } from '../../../src/service/start-service.ts'
import { loggedDefects } from '../service/logged-defects.ts'
import { spawnService } from '../service/service-process.ts'
import { unhurried } from '../service/unhurried.ts'
import { sized } from './scale.ts'

export interface ServiceHere {
  readonly url: string
  /** What a process of its own would end for, as its log would say it. */
  readonly fatal: readonly string[]
  /** What it logged. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** A service in this process, whose log and end are told. */
export async function serviceHere(file: string): Promise<ServiceHere> {
  const fatal: string[] = []
  const lines: string[] = []
  const settings = readSettings({ PORT: '0', DATABASE_URL: file, ...unhurried })
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const service = await startService(settings, logger, (cause) => fatal.push(pino.stdSerializers.err(cause).message))
  return { url: service.url, fatal, lines, close: () => service.close() }
}

/** A service that must have nothing to complain of when it is stopped. */
export interface Untroubled {
  readonly url: string
  stop(): Promise<void>
}

/** In a process of its own at full size, where it is told how long others wait; in this one in the short form. */
export async function untroubledService(file: string): Promise<Untroubled> {
  return sized(untroubledHere, untroubledBeside)(file)
}

async function untroubledHere(file: string): Promise<Untroubled> {
  const { url, fatal, lines, close } = await serviceHere(file)
  return {
    url,
    async stop() {
      await close()
      assert.deepEqual([loggedDefects(lines.join('')), fatal], ['', []])
    },
  }
}

async function untroubledBeside(file: string): Promise<Untroubled> {
  const service = spawnService({ DATABASE_URL: file })
  return {
    url: await service.ready,
    async stop() {
      service.process.kill('SIGTERM')
      const { code, stderr } = await service.ended
      assert.deepEqual([loggedDefects(stderr), code], ['', 0])
    },
  }
}
