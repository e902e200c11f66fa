import { attributeUpdate } from './forms/attribute-update.ts'
import { command } from './forms/command.ts'
import { commandEndpoint } from './forms/command-endpoint.ts'
import { dealCommand } from './forms/deal-command.ts'
import type { Form } from './forms/form.ts'
import { noun } from './forms/noun.ts'
import { participle } from './forms/participle.ts'
import { creation, deletion } from './forms/resource.ts'
import { singleUpdate } from './forms/single-update.ts'
import { verb } from './forms/verb.ts'

/** Every way to ask for an operation. Where two share an address, the first that recognizes the body takes it. */
export const forms: readonly Form[] = [
  verb,
  participle,
  singleUpdate,
  attributeUpdate,
  noun,
  dealCommand,
  command,
  commandEndpoint,
  creation,
  deletion,
]
