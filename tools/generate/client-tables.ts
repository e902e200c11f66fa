import { type Form, type FormRequest, requestsIn } from '../../src/http/contract/form.ts'
import { type Action, type Described, vocabularyOf } from '../../src/http/describe/vocabulary.ts'
import { formNames, forms } from '../../src/http/forms/forms.ts'
import type { Params } from '../../src/model/declaration/operation.ts'
import type { Operation, Resource } from '../../src/model/declaration/schema.ts'
import { buildSchema } from '../../src/model/schema/build-schema.ts'
import { isDeletion, operationsOnExisting, relationsOf, resourceNamed } from '../../src/model/schema/resources.ts'
import { typeText } from '../../src/values/kinds/type-text.ts'
import type { Member } from '../../src/values/members.ts'

const schema = buildSchema()
const { resources } = schema
const deal = resourceNamed(schema, 'deal')
const dealOperations = operationsOnExisting(deal)

/** What stands between these two lines of a file is written here. */
const BEGIN = '// Written by `npm run generate`.\n'
const END = '// End of what is written.\n'

/** The client with its tables as the operations and the forms have them; a formatter puts them in lines. */
export const withTables = (client: string): string => written(client, tables())

/** The names stand there as they are: their types lead to the whole service, which a program has no types for. */
export const withFormNames = (file: string): string =>
  written(file, `export type FormName = ${formNames.map((name) => `'${name}'`).join(' | ')}\n`)

/** Every resource with its fields and operations, written out: a program has no types of the service. */
export const withDeclared = (file: string): string =>
  written(file, `export interface Declared {\n${vocabularyOf(schema).map(declaredOf).join('\n')}\n}\n`)

function declaredOf({ resource, listing, actions }: Described): string {
  const { name, plural, kinds } = resource
  const filters = listing.filters.filter(({ name: field }) => !Object.hasOwn(kinds, field))
  return `readonly '${name}': {
    readonly plural: '${plural}'
    readonly fields: ${object(Object.entries(kinds).map(([field, kind]) => [field, `['${kind.name}', ${typeText(kind.schema)}]`]))}
    readonly filters: ${object(filters.map(({ name: filter, kind }) => [filter, `'${kind.name}'`]))}
    readonly relations: ${object(relationsOf(resource).map((to) => [to.name, `['${to.kind}', '${to.of.plural}']`]))}
    readonly operations: ${object(actions.map((action) => [action.operation.name, operationText(action)]))}
  }`
}

const object = (members: readonly (readonly [name: string, type: string])[]): string =>
  members.length === 0 ? 'Empty' : `{ ${members.map(([name, type]) => `readonly '${name}': ${type}`).join('; ')} }`

function operationText({ operation: { words, params }, leaves }: Action): string {
  const sent = Object.entries(params).map(([param, member]) => paramText(param, member))
  const given = sent.length === 0 ? 'Empty' : `{ ${sent.join('; ')} }`
  return `${leaves === 'nothing' ? 'Removal' : 'Operation'}<'${words.action}', '${words.event}', ${given}>`
}

const paramText = (name: string, { required, kind }: Member<unknown>): string =>
  `readonly '${name}'${required ? '' : '?'}: ${typeText(kind.schema)}${kind.refersTo === undefined ? '' : ' | `$${number}`'}`

function written(file: string, text: string): string {
  const begin = file.indexOf(BEGIN)
  const end = file.indexOf(END)
  if (begin === -1 || end < begin) throw new Error('the file has no place for what is written')
  return `${file.slice(0, begin)}${BEGIN}${text}${file.slice(end)}`
}

const tables =
  (): string => `const { words, deletions, requests, creations, things, answersWithDeal, byIdOnly }: Tables = {
  words: ${literal(Object.fromEntries(dealOperations.map(wordsOf)))},
  deletions: ${literal(dealOperations.filter(isDeletion).map(({ name }) => name))},
  requests: {${requestsOn(
    dealOperations,
    forms.filter(({ name }) => name !== 'resource'),
  )}},
  creations: {${requestsOn(
    deal.operations.filter(({ to }) => to === 'nothing'),
    forms,
  )}},
  things: ${literal(Object.fromEntries(resources.filter(({ name }) => name !== deal.name).map(thingOf)))},
  answersWithDeal: ${literal([...answering])},
  byIdOnly: ${literal(byIdOnly())},
}
`

const thingOf = (resource: Resource) =>
  [
    resource.plural,
    [resource.path, ...operationsOnExisting(resource).flatMap(({ name, ...each }) => (isPlain(each) ? [] : [name]))],
  ] as const

/** What the methods of HTTP ask for. */
const isPlain = ({ differences, removes }: Pick<Operation, 'differences' | 'removes'>): boolean =>
  differences === true || removes === true

/** Two of the forms share the name of the resource. */
const answering = new Set(forms.filter(({ reply }) => reply === 'thing' || reply === 'created').map(({ name }) => name))

const literal = (value: unknown): string => JSON.stringify(value)

function wordsOf(operation: Operation): readonly [string, readonly unknown[]] {
  const { name, words, params, sets = {}, marks = {}, fromAttributes } = operation
  const inFull = fromAttributes !== undefined && Object.keys(params).every((param) => Object.hasOwn(sets, param))
  // The client keeps the name of a parameter that is not here.
  const renamed = Object.fromEntries(Object.entries(sets).filter(([param, field]) => param !== field))
  return [name, [words.participles[0], words.noun, words.action, ...(inFull ? [marks, renamed] : [])]]
}

/** A unique value stands for the id before the last word of an address, and in a command. */
const byIdOnly = (): readonly string[] =>
  forms
    .filter(({ name }) => name !== 'resource')
    .flatMap((form) => {
      const [request] = dealOperations.flatMap((operation) =>
        requestsIn(form, { operation, params, target: hole('deal'), command: hole('command') }),
      )
      if (request === undefined || request.path.split(`/${hole('deal')}`)[1]?.match(/^(\/[^/]+)?$/)) return []
      return request.body !== undefined && Object.hasOwn(request.body, deal.name) ? [] : [form.name]
    })

/** Where a template has a word of the operation. */
const hole = (word: string): string => `$\{of.${word}}`

/** Stands for all parameters, wherever a body has them. */
const params: Params = { '...of.params': true }

/** A member for each form, in the terms of an operation's words. Every operation must agree. */
function requestsOn(asked: readonly Operation[], among: readonly Form[]): string {
  return among
    .flatMap((form) => {
      const codes = asked.flatMap((operation) => {
        const [request] = requestsIn(form, { operation, params, target: hole('deal'), command: hole('command') })
        return request === undefined ? [] : [requestCode(request, operation, form.name === 'attribute-update')]
      })
      const [code, other] = new Set(codes)
      if (other !== undefined) throw new Error(`operations differ in the form ${form.name}: ${code}, ${other}`)
      return code === undefined ? [] : [`'${form.name}': (of) => ${code}`]
    })
    .join(',\n')
}

function requestCode({ method, path, body }: FormRequest, operation: Operation, isAttributes: boolean): string {
  const address = path.split('/').map((segment) => wordIn(segment, operation))
  return `['${method}', \`${address.join('/')}\`, ${isAttributes ? 'of.attributes' : bodyCode(body ?? {}, operation)}]`
}

/** A creation is one operation, whose words stand where they are. */
function wordIn(segment: string, { name, words, to }: Operation): string {
  if (to === 'nothing') return segment
  if (segment === words.action) return hole('action')
  if (segment === words.noun) return hole('noun')
  if (segment === words.participles[0]) return hole('participle')
  if (segment.endsWith(`:${name}`)) return `${segment.slice(0, -name.length)}${hole('name')}`
  return segment === name ? hole('name') : segment
}

function bodyCode(body: Params, { words, to }: Operation): string {
  if (body === params) return 'of.params'
  const members = Object.entries(body).map(([name, value]) => {
    if (name in params) return name
    if (value === params) return `${name}: of.params`
    if (value === hole('deal')) return `${name}: of.id`
    return `${name}: ${value === words.action && to !== 'nothing' ? 'of.action' : literal(value)}`
  })
  return `{ ${members.join(', ')} }`
}
