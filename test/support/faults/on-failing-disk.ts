import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ServiceProcess, spawnService } from '../service/service-process.ts'
import { type DiskFaults, failingDisk } from './failing-disk-settings.ts'

export interface OnFailingDisk {
  readonly file: string
  readonly service: ServiceProcess
  fail(faults: DiskFaults): void
}

/** A service over a database in a new folder, on a disk that fails when it is told to. */
export function onFailingDisk(t: TestContext, path: string): OnFailingDisk {
  mkdirSync(path)
  const [file, faults] = [join(path, 'dealdesk.db'), join(path, 'faults.json')]
  const fail = (what: DiskFaults): void => {
    // At once: the service reads it all the time.
    writeFileSync(`${faults}.new`, JSON.stringify(what))
    renameSync(`${faults}.new`, faults)
  }
  fail({})
  const service = spawnService({ DATABASE_URL: file, ...failingDisk(faults) })
  // A test that fails does not wait for a service that goes on.
  t.after(() => service.process.kill('SIGKILL'))
  return { file, service, fail }
}
