import type { Fields, ThingOf } from './field.ts'
import { valueIn } from './operation.ts'
import type { Resource } from './resource.ts'

/** For an operation that changes any of the fields that a client gives: those that are to be something else. */
export function fieldsThatDiffer<F extends Fields>({ kinds }: Pick<Resource<string, F>, 'kinds'>) {
  return (thing: ThingOf<F>, wanted: Partial<ThingOf<F>>) => {
    const differing = Object.entries(wanted).filter(([name, value]) => value !== valueIn(thing, name))
    if (differing.length === 0) return undefined
    return { params: Object.fromEntries(differing.map(([name, value]) => [name, kinds[name]?.write(value as never)])) }
  }
}
