import { fc } from '../inputs/fast-check.ts'

/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly readOnly?: boolean
}

/** Values that lead somewhere, by the name of the member or parameter they are for. */
export type Known = (name: string) => readonly unknown[]

/** Makes values of the schemas of a document. */
export class Generator {
  readonly #schemas: { readonly [name: string]: Schema }
  readonly #known: Known
  constructor(schemas: { readonly [name: string]: Schema }, known: Known) {
    this.#schemas = schemas
    this.#known = known
  }

  /** A value that the schema allows, as far as can be seen from here. */
  valid(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
    const known = this.#known(name)
    const made = this.#made(this.resolved(schema), name, depth)
    return known.length === 0 ? made : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, made)
  }

  /** A value that is a little beside the schema. */
  beside(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    const { properties = {}, maximum, minimum, maxLength } = this.resolved(schema)
    const wrong: unknown[] = [null, true, [], {}, '', 'x', -1, 0.001, 1e21, '\u0007', 'a\ud800']
    if (maximum !== undefined && maximum < 1e20) wrong.push(maximum + 1)
    if (minimum !== undefined) wrong.push(minimum - 1)
    if (maxLength !== undefined && maxLength < 20_000) wrong.push('x'.repeat(maxLength + 1))
    const replaced = fc.constantFrom(...wrong)
    if (Object.keys(properties).length === 0) return replaced
    const members = fc.constantFrom(...Object.keys(properties))
    return fc.oneof(
      { weight: 1, arbitrary: replaced },
      { weight: 4, arbitrary: this.#withWrongMember(schema, name, properties, members) },
      {
        weight: 2,
        arbitrary: fc.tuple(this.valid(schema, name), members).map(([value, left]) => without(value, left)),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(this.valid(schema, name), replaced).map(([value, odd]) => ({ ...(value as object), odd })),
      },
    )
  }

  resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    const found = this.#schemas[schema.$ref.replace(/.*\//, '')]
    if (found === undefined) throw new Error(`${schema.$ref} leads nowhere`)
    return this.resolved(found)
  }

  #withWrongMember(
    schema: Schema,
    name: string,
    properties: NonNullable<Schema['properties']>,
    members: fc.Arbitrary<string>,
  ): fc.Arbitrary<unknown> {
    return members.chain((member) =>
      fc
        .tuple(this.valid(schema, name), this.beside(this.resolved(properties[member] ?? {}), member))
        .map(([value, wrong]) => ({ ...(value as object), [member]: wrong })),
    )
  }

  #made(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    const { anyOf, oneOf, allOf } = schema
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const choices = anyOf ?? oneOf
    if (choices !== undefined) return fc.oneof(...choices.map((each) => this.valid(each, name, depth)))
    if (allOf !== undefined) {
      return fc.tuple(...allOf.map((each) => this.valid(each, name, depth))).map((parts) => Object.assign({}, ...parts))
    }
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object'])
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, depth)))
  }

  #ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { minimum: min = -1000, maximum: max = 1000 } = schema
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.oneof(
          fc.integer({ min: Math.max(min, -1000), max: Math.min(max, 1000) }),
          fc.constantFrom(min, max).map(Math.round),
        )
      case 'number':
        return fc.oneof(
          fc.integer({ min: Math.max(min, -1000) * 100, max: 100_000 }).map((cents) => cents / 100),
          fc.constantFrom(min, max),
        )
      case 'array':
        return fc.array(this.valid(schema.items ?? {}, '', depth + 1), { maxLength: Math.min(schema.maxItems ?? 3, 3) })
      case 'object':
        return this.#object(schema, depth)
      default:
        return text(schema)
    }
  }

  /** What only the service may say is left to it; what may be left out often is. */
  #object({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
    const sent = Object.entries(properties).filter(
      ([, each]) => this.resolved(each).readOnly !== true && !each.readOnly,
    )
    const members = Object.fromEntries(sent.map(([name, each]) => [name, this.valid(each, name, depth + 1)]))
    const needed = required.filter((name) => members[name] !== undefined)
    return fc.record(members, { requiredKeys: needed, noNullPrototype: true })
  }
}

/** Many operations have the same parameters, and what makes texts of a pattern takes long to make. */
const texts = new Map<string, fc.Arbitrary<string>>()

function text(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema
  const key = JSON.stringify([format, pattern, minLength, maxLength])
  const made = texts.get(key) ?? textOf(schema)
  texts.set(key, made)
  return made
}

function textOf({ format, pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case 'date':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
    case 'date-time':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString())
    case 'uuid':
      return fc.constant('01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10')
    case 'uri':
      return fc.constantFrom('http://nobody.invalid/hook', 'https://nobody.invalid/?a=b')
  }
  const size = { minLength, maxLength: Math.min(maxLength, 40) }
  const carried = fc.string({ unit: 'grapheme', ...size })
  if (pattern === undefined || pattern.startsWith('^[^\\u0000')) return carried
  // fast-check makes no texts for what looks ahead, so that is looked at afterwards.
  const whole = new RegExp(pattern, 'u')
  return fc
    .stringMatching(new RegExp(pattern.replace(/\(\?=.*?\$\)/, '')))
    .filter((made) => whole.test(made) && made.length <= maxLength && made.length >= minLength)
}

const without = (value: unknown, name: string): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([each]) => each !== name))
