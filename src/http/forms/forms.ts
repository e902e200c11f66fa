import type { Form } from '../contract/form.ts'
import { attributeUpdate } from './attribute-update.ts'
import { command } from './command.ts'
import { commandEndpoint } from './command-endpoint.ts'
import { customMethod } from './custom-method.ts'
import { dealCommand } from './deal-command.ts'
import { noun } from './noun.ts'
import { participle } from './participle.ts'
import { creation, deletion } from './resource.ts'
import { singleUpdate } from './single-update.ts'
import { verb } from './verb.ts'

/** The forms. If two share an address, the first that recognizes the body reads it. */
const listed = [
  creation,
  verb,
  participle,
  customMethod,
  singleUpdate,
  attributeUpdate,
  noun,
  dealCommand,
  command,
  commandEndpoint,
  deletion,
] as const

export const forms: readonly Form[] = listed

/** For types: the names of the forms. */
export type FormName = (typeof listed)[number]['name']
export const formNames: readonly FormName[] = [...new Set(listed.map(({ name }) => name))]
