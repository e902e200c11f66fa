import { OWN, ownText } from '../../values/json/own.ts'
import type { Kind, KindName } from '../../values/kinds/kind.ts'
import { amountToText } from '../../values/kinds/money.ts'
import type { Fields, ThingOf } from './field.ts'

/**
 * Writes a thing as the JSON text of every answer. Compiled from the fields, because every write needs it and a loop over
 * the fields takes half as long again.
 */
export function jsonWriter<F extends Fields>(fields: F, extended = false): (thing: ThingOf<F>) => string {
  const members = Object.entries(fields).map(
    ([name, { kind }], at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:\${${valueCode(name, kind)}}`,
  )
  const own = extended ? `\${ownMember(thing)}` : ''
  const compile = new Function('amountText', 'ownMember', `return (thing) => \`${members.join('')}${own}}\``)
  return compile(amountToText, ownMember) as (thing: ThingOf<F>) => string
}

/**
 * Writes the members of a thing that differ from the previous ones, without braces. `updatedAt` and `revision` are left
 * out, because they always differ.
 */
export function changesWriter<F extends Fields>(
  fields: F,
  extended = false,
): (before: ThingOf<F>, after: ThingOf<F>) => string {
  const changes = Object.entries(fields)
    .filter(([name]) => name !== 'updatedAt' && name !== 'revision')
    .map(([name, { kind }]) => {
      const member = JSON.stringify(name)
      return `if (before[${member}] !== thing[${member}]) json += \`,${member}:\${${valueCode(name, kind)}}\``
    })
  if (extended) changes.push('json += ownChange(before, thing)')
  const compile = new Function(
    ...['amountText', 'ownChange'],
    `return (before, thing) => { let json = ''; ${changes.join('; ')}; return json.slice(1) }`,
  )
  return compile(amountToText, ownChange) as (before: ThingOf<F>, after: ThingOf<F>) => string
}

/** The values of added fields are the last member, as they are stored; without any there is none. */
function ownMember(thing: object): string {
  const text = ownText(thing)
  return text === null ? '' : `,"${OWN}":${text}`
}

function ownChange(before: object, after: object): string {
  const text = ownText(after)
  return ownText(before) === text ? '' : `,"${OWN}":${text ?? '{}'}`
}

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
