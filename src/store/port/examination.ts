/** The result of one check. */
export interface Finding {
  /** Such as `database` or `schema`. */
  readonly about: string
  /** A note is worth knowing; with a fault the service does not work, or not for long. */
  readonly state: 'ok' | 'note' | 'fault'
  readonly text: string
}

/** The result of examining a database. Nothing is written, and nothing is migrated. */
export interface Examination {
  readonly findings: readonly Finding[]
  /** Whether there is a user; undefined if unknown. */
  readonly hasUsers: boolean | undefined
}

export interface ExaminationOptions {
  /** Reads everything, however long it takes. */
  readonly isThorough: boolean
}

export const ok = (about: string, text: string): Finding => ({ about, state: 'ok', text })
export const note = (about: string, text: string): Finding => ({ about, state: 'note', text })
export const fault = (about: string, text: string): Finding => ({ about, state: 'fault', text })

/** The tables of indexed values that are not as the things give them. */
export const indexFinding = (wrong: readonly string[]): Finding =>
  wrong.length === 0
    ? ok('indexes', 'the indexes of added fields are as the things give them')
    : fault('indexes', `${wrong.join(', ')} differ from what the things give; restore a backup, or report this`)

/** Compares a schema version with the one of this release. */
export function schemaFinding(found: number, known: number): Finding {
  if (found === known) return ok('schema', `version ${found}, as this release has it`)
  if (found > known) {
    return fault('schema', `version ${found} is of a newer release, this one knows ${known}; start that release`)
  }
  const pending = known - found
  const migrations = pending === 1 ? 'one migration is' : `${pending} migrations are`
  return note('schema', `version ${found}; ${migrations} pending, and made by the next start: take a backup before`)
}

/** Compares the clock with the latest stored instant. */
export function clockFinding(latest: string | undefined, now: Date): Finding {
  if (latest !== undefined && latest > now.toISOString()) {
    return fault('clock', `it is ${now.toISOString()} here, but the latest event is of ${latest}; set the clock`)
  }
  return ok('clock', `it is ${now.toISOString()}`)
}
