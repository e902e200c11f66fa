import { createRequire } from 'node:module'
import type * as Re2 from 're2js'

/** RE2, which the first pattern loads: its tables take two megabytes, and few queries have a pattern. */
export function re2(): typeof Re2 {
  loaded ??= createRequire(import.meta.url)('re2js') as typeof Re2
  return loaded
}

let loaded: typeof Re2 | undefined
