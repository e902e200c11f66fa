import { isExactNumber } from './exact-numbers.ts'

/** An object with members: no list, and no number that is kept as its text. */
export const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !isExactNumber(raw)
