import { randomUUID } from 'node:crypto'
import { isExactNumber } from '../../../values/json/exact-numbers.ts'

// Messages between threads are copied by structured clone, which refuses exact numbers. A message with some, which is
// rare, names a mark that nobody can know before, and each of them is an object with its text under that mark.

interface Receiver {
  postMessage(message: unknown): void
}

interface Marked {
  readonly mark: string
  readonly marked: unknown
}

export function post(receiver: Receiver, message: unknown): void {
  try {
    receiver.postMessage(message)
  } catch (cause) {
    if (!(cause instanceof DOMException && cause.name === 'DataCloneError')) throw cause
    const mark = randomUUID()
    const marked = replaced(message, (part) => (isExactNumber(part) ? { [mark]: part.rawJSON } : undefined))
    receiver.postMessage({ mark, marked } satisfies Marked)
  }
}

/** The message that was posted. */
export function received<T>(message: T | Marked): T {
  if (!isMarked(message)) return message
  const { mark, marked } = message
  const restored = (part: object): unknown =>
    Object.hasOwn(part, mark) ? JSON.rawJSON((part as Readonly<Record<string, string>>)[mark] ?? '') : undefined
  return replaced(marked, restored) as T
}

const isMarked = (message: unknown): message is Marked =>
  typeof message === 'object' && message !== null && 'marked' in message

/** A copy in which some parts are others. What is neither a list nor a plain object has no parts. */
function replaced(value: unknown, other: (part: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const found = other(value)
  if (found !== undefined) return found
  if (Array.isArray(value)) return value.map((each) => replaced(each, other))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, other)]))
}
