import type { Resource } from '../../model/resource.ts'
import { referencedFirst } from '../../model/resources.ts'

/** What files can be imported into; each behind those that it refers to, as an operator imports them. */
export const importable: readonly Resource[] = referencedFirst.filter(({ imports }) => imports !== undefined)
