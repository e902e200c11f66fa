import type { Resource } from '../../model/schema.ts'
import { fault } from '../../values/faults/fault.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'

/** The client's own name for a thing. The creation has a command id derived from it, so that it is done once. */
export const reference: Kind<string> = limited(text({ min: 1, max: 100 }))

/** The longest command id that has an address. */
const LONGEST_ID = 128
const LONGEST_PREFIX = 'import-customer-'.length

/** Every character that a command id must not have is written as its bytes, and so is `.`, which begins a suffix. */
export const commandOf = ({ name }: Resource, reference: string): string => `import-${name}-${encoded(reference)}`

const encoded = (reference: string): string =>
  reference.replaceAll(/[^A-Za-z0-9_-]/gu, (character) =>
    Buffer.from(character).toString('hex').replaceAll(/../g, '~$&'),
  )

function limited(kind: Kind<string>): Kind<string> {
  const check = (read: ReturnType<Kind<string>['read']>) =>
    'value' in read && encoded(read.value).length > LONGEST_ID - LONGEST_PREFIX
      ? fault('too-long', { max: LONGEST_ID - LONGEST_PREFIX, wants: 'plain-characters' })
      : read
  return { ...kind, read: (raw) => check(kind.read(raw)), readText: (raw) => check(kind.readText(raw)) }
}
