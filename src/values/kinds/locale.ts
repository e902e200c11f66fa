import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

const LONGEST = 64

/** A language and region, such as de-CH, as BCP 47 writes it. */
export const locale: Kind<string> = ofIntl('locale', (raw) => Intl.getCanonicalLocales(raw)[0])

/** A time zone of IANA's list, such as Europe/Zurich. */
export const timeZone: Kind<string> = ofIntl('time-zone', (raw) =>
  // An offset is not a zone: it has no summer time.
  /^[+-]/.test(raw) ? undefined : new Intl.DateTimeFormat('en', { timeZone: raw }).resolvedOptions().timeZone,
)

function ofIntl(wants: string, find: (raw: string) => string | undefined): Kind<string> {
  const read = (raw: unknown): Read<string> => {
    const value = typeof raw === 'string' && raw !== '' && raw.length <= LONGEST ? found(raw) : undefined
    return value === undefined ? fault('malformed', { wants }) : { value }
  }
  /** `Intl` throws for what it does not know. */
  const found = (raw: string): string | undefined => {
    try {
      return find(raw)
    } catch {
      return undefined
    }
  }
  return {
    name: 'text',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST },
    nullable: false,
    read,
    readText: read,
    readFilter: (text) => ({ value: text }),
    write: (value) => value,
  }
}
