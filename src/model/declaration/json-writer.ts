import type { Kind, KindName } from '../../values/kinds/kind.ts'
import { amountToText } from '../../values/kinds/money.ts'
import type { Fields, ThingOf } from './field.ts'

/**
 * Writes a thing as the JSON text of every answer. Compiled from the fields, because every write needs it and a loop over
 * the fields takes half as long again.
 */
export function jsonWriter<F extends Fields>(fields: F, extensible = false): (thing: ThingOf<F>) => string {
  const members = Object.entries(fields).map(
    ([name, { kind }], at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:\${${valueCode(name, kind)}}`,
  )
  const own = extensible ? OWN_MEMBER : ''
  const compile = new Function('amountText', `return (thing) => \`${members.join('')}${own}}\``)
  return compile(amountToText) as (thing: ThingOf<F>) => string
}

/**
 * Writes the members of a thing that differ from the previous ones, without braces. `updatedAt` and `revision` are left
 * out, because they always differ.
 */
export function changesWriter<F extends Fields>(
  fields: F,
  extensible = false,
): (before: ThingOf<F>, after: ThingOf<F>) => string {
  const changes = Object.entries(fields)
    .filter(([name]) => name !== 'updatedAt' && name !== 'revision')
    .map(([name, { kind }]) => {
      const member = JSON.stringify(name)
      return `if (before[${member}] !== thing[${member}]) json += \`,${member}:\${${valueCode(name, kind)}}\``
    })
  if (extensible) changes.push(`if (before.own !== thing.own) json += \`,"own":\${thing.own ?? '{}'}\``)
  const compile = new Function(
    'amountText',
    `return (before, thing) => { let json = ''; ${changes.join('; ')}; return json.slice(1) }`,
  )
  return compile(amountToText) as (before: ThingOf<F>, after: ThingOf<F>) => string
}

/** The values of added fields are the last member, as they are stored; without any there is none. */
const OWN_MEMBER = `\${(thing.own ?? null) === null ? '' : ',"own":' + thing.own}`

function valueCode(name: string, kind: Kind<unknown>): string {
  const value = `thing[${JSON.stringify(name)}]`
  const written = code[kind.name](value, kind)
  // Without quotes, a null is written as itself; JSON.stringify handles it too.
  return kind.nullable && !written.startsWith('JSON.') && written !== value
    ? `${value} === null ? 'null' : ${written}`
    : written
}

const quoted = (value: string): string => `'"' + ${value} + '"'`
const escaped = (value: string): string => `JSON.stringify(${value})`
const plain = (value: string): string => value

const code: Readonly<Record<KindName, (value: string, kind: Kind<unknown>) => string>> = {
  text: escaped,
  integer: plain,
  amount: (value, { decimals }) => `amountText(${value}${decimals === undefined ? '' : `, ${decimals}`})`,
  date: quoted,
  instant: quoted,
  boolean: plain,
  choice: quoted,
  choices: escaped,
  uuid: quoted,
  json: escaped,
}
