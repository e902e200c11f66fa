import { valueIn } from '../../src/model/declaration/operation.ts'
import type { Right } from '../../src/model/intent/caller.ts'

/** A right: deals that are called sealed are changed by admins alone. */
export const sealed: Right = ({ role }, { name: resource }, _operation, thing) =>
  resource === 'deal' && String(valueIn(thing, 'name')).startsWith('Sealed') && role !== 'admin'
    ? { code: 'not-owner', resource, id: thing.id }
    : undefined
