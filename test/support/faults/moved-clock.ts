import { readFileSync } from 'node:fs'

// Loaded into the service before anything else, in each of its threads: a clock that somebody sets.
// CLOCK names a file with the milliseconds by which it is off, which is read again whenever it is asked.

const RealDate = Date
const offset = (): number => Number(readFileSync(process.env.CLOCK ?? '', 'utf8'))

globalThis.Date = new Proxy(RealDate, {
  construct(target, args: [], newTarget) {
    return args.length > 0 ? Reflect.construct(target, args, newTarget) : new target(target.now() + offset())
  },
  get(target, name, receiver) {
    return name === 'now' ? () => target.now() + offset() : Reflect.get(target, name, receiver)
  },
})
