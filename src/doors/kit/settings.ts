import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Read } from '../../values/kinds/kind.ts'

/** Reads settings of an address, if they were sent, and adds their faults to the list. */
export const settingsIn =
  <N extends string>(sent: ReadonlyMap<N, string>, faults: Fault[], prefix = '') =>
  <T>(name: N, read: (text: string) => Read<T>): T | undefined => {
    const text = sent.get(name)
    const found = text === undefined ? undefined : read(text)
    if (found !== undefined && 'fault' in found) faults.push({ ...found.fault, at: { parameter: prefix + name } })
    return found !== undefined && 'value' in found ? found.value : undefined
  }

export const wholeNumber = (text: string): Read<number> =>
  /^\d{1,15}$/.test(text) ? { value: Number(text) } : fault('malformed', { wants: 'integer-from', min: 0 })

/** A value that names something unknown. */
export const unknownName = (what: string, name: string, known: Iterable<string>): Reason =>
  name === '' ? reason('blank') : reason('unknown-name', { what, name, ...near(nearest(name, known)) })
