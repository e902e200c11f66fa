import type { Resource } from '../../model/declaration/schema.ts'
import { type Person, personNamed } from '../../model/nouns/user/person.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { memberAt } from '../../values/members.ts'
import { placed } from '../columns/placed.ts'
import type { FaultyRow, FileRow, Rejection, Wave } from '../read/read-waves.ts'
import type { RowOptions } from './perform-row.ts'

export interface PersonNaming extends Pick<RowOptions, 'desk' | 'later'> {
  /** All users; none in a service without. */
  readonly people: readonly Person[]
  readonly badCells?: 'empty' | undefined
}

/** Replaces the texts for persons by the names of users. A row that names a thing may keep what that has. */
export function userNaming(
  { kinds, uniques }: Resource,
  { people, badCells, later = [], desk }: PersonNaming,
): (wave: Wave) => Wave {
  const fields = Object.entries(kinds).flatMap(([field, kind]) => (kind.namesUser ? [field] : []))
  const canBeEmpty = ({ at }: Fault): boolean => kinds[memberAt(at.pointer)]?.nullable === true
  const known = new Map<string, ReturnType<typeof personNamed>>()
  const personIn = (text: string): ReturnType<typeof personNamed> => {
    const self = desk.caller?.name
    if (self !== undefined && text.trim().toLowerCase() === 'me') return { name: self }
    const found = known.get(text) ?? personNamed(people, text, { byWords: true })
    known.set(text, found)
    return found
  }
  return (wave) => {
    if (people.length === 0 || fields.length === 0) return wave
    const rejected: Rejection[] = [...wave.rejected]
    const emptied: FaultyRow[] = [...(wave.emptied ?? [])]
    const rows = wave.rows.flatMap((row): readonly FileRow[] => {
      const named: Record<string, string | null> = {}
      const faults = fields.flatMap((field) => {
        const text = row.values[field]
        if (typeof text !== 'string' || later.includes(text)) return []
        const person = personIn(text)
        if ('name' in person) named[field] = person.name
        else return [placed(person.fault, field)]
        return []
      })
      const isKept = ['id', ...uniques].some((name) => (row.values[name] ?? null) !== null)
      const isEmptied = faults.length > 0 && badCells === 'empty' && faults.every(canBeEmpty)
      if (isEmptied) emptied.push({ line: row.line, faults })
      else if (faults.length > 0 && !isKept) {
        rejected.push({ line: row.line, faults, row: row.row() })
        return []
      }
      if (isEmptied) for (const { at } of faults) named[memberAt(at.pointer)] = null
      return Object.keys(named).length === 0 ? [row] : [{ ...row, values: { ...row.values, ...named } }]
    })
    return {
      ...wave,
      rows,
      rejected: rejected.toSorted(byLine),
      ...(emptied.length > 0 && { emptied: emptied.toSorted(byLine) }),
    }
  }
}

const byLine = (a: FaultyRow, b: FaultyRow): number => a.line - b.line
