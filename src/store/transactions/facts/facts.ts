import { breaks } from './breaks.ts'
import { counts } from './counts.ts'
import { exists } from './exists.ts'
import type { Fact } from './fact.ts'
import { heldBy } from './held-by.ts'
import { idBy } from './id-by.ts'
import { people } from './people.ts'
import { related } from './related.ts'

/** The facts that decisions get. To add one, see ARCHITECTURE.md. */
export const facts = [exists, related, idBy, people, heldBy, counts, breaks] as const

type Listed = (typeof facts)[number]

/** Each as a member of the facts. */
export type ToldFacts = { readonly [F in Listed as F['name']]: F extends Fact<string, infer T> ? T : never }
