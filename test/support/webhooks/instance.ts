import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import { startService } from '../../../src/service/start-service.ts'
import { unhurried } from '../service/unhurried.ts'
import { quickPace } from './quick-pace.ts'

// An instance of the service as a process of its own, whose deliveries keep a pace that tests can wait for.

const { CLOCK_AHEAD = '0', LEASE = '600000' } = process.env

const RealDate = Date
/** The clock of a machine that is ahead of the others. */
globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    super(...(given.length > 0 ? given : ([Date.now()] as unknown as [])))
  }
  static override now(): number {
    return RealDate.now() + Number(CLOCK_AHEAD)
  }
} as DateConstructor

const service = await startService(
  readSettings({ ...unhurried, ...process.env }),
  pino({ level: 'error' }, pino.destination(2)),
  (cause) => {
    throw cause
  },
  // Whoever waits for an answer must have given up before the lease ends.
  { ...quickPace, lease: Number(LEASE), timeout: (Number(LEASE) * 5) / 6 },
)
process.stdout.write(`${service.url}\n`)
