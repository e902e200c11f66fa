import { type DestinationStream, type Logger, pino } from 'pino'
import { standardError } from './log-lines.ts'

/** Members whose values are never logged, at any depth of an entry. */
const secrets: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'password',
  'secret',
  'key',
  'token',
  'databaseUrl',
  'connectionString',
])

const DEEPEST = 6

/** JSON lines on standard error; the `id` of a request is the end of a problem's `instance`. */
export function openLogger(level: string, destination: DestinationStream = standardError()): Logger {
  // Not pino's `redact`, which needs every path in advance.
  const formatters = {
    level: (label: string) => ({ level: label }),
    log: (entry: LogEntry) => withoutSecrets(entry, 0),
  }
  return pino({ level, formatters, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

type LogEntry = Record<string, unknown>

function withoutSecrets(members: LogEntry, depth: number): LogEntry {
  const written: LogEntry = {}
  for (const [name, value] of Object.entries(members)) {
    if (secrets.has(name)) written[name] = '[secret]'
    else written[name] = isPlain(value) ? (depth < DEEPEST ? withoutSecrets(value, depth + 1) : '[deep]') : value
  }
  return written
}

const isPlain = (value: unknown): value is LogEntry =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
