import { pino } from 'pino'
import { startService } from '../../src/cli/start-service.ts'
import { readSettings } from '../../src/config.ts'
import { quickPace } from './service.ts'

// An instance of the service as a process of its own, whose deliveries keep a pace that tests can wait for.

const service = await startService(
  readSettings(process.env),
  pino({ level: 'error' }, pino.destination(2)),
  (cause) => {
    throw cause
  },
  quickPace,
)
process.stdout.write(`${service.url}\n`)
