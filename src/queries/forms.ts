import type { QueryForm } from './form.ts'
import { collectionBounds } from './forms/collection-bounds.ts'
import { dotSuffixes } from './forms/dot-suffixes.ts'
import { equality } from './forms/equality.ts'
import { fieldBounds } from './forms/field-bounds.ts'
import { operatorNames } from './forms/operator-names.ts'

/** Every way to spell a comparison, in the order in which they are tried: operators first, then the last dot. */
export const queryForms: readonly QueryForm[] = [operatorNames, dotSuffixes, collectionBounds, fieldBounds, equality]
