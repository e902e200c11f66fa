import { onceFor } from '../../values/memoize.ts'

/**
 * Caches what is compiled from a schema, or from one of its parts, while that schema is in use. A part belongs to one
 * schema: the resources and operations of another are other objects. decisions/0057
 */
export const bySchema = <P extends object, T>(compile: (part: P) => T): ((part: P) => T) => onceFor(compile)
