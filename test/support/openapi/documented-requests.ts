import { fc } from '../inputs/fast-check.ts'
import { Generator, type Known, type Schema } from './from-schema.ts'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema }
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly $ref?: string; readonly content?: Content }
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Content } }
}

/** The document, as a program that reads it sees it. */
export interface OpenApiDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly responses: { readonly [name: string]: { readonly content?: Content } }
    readonly requestBodies: { readonly [name: string]: { readonly content?: Content } }
  }
}

export interface MadeRequest {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

/** Requests to one operation of the document: as it describes them, and a little beside that. */
export function requestsFor(
  document: OpenApiDocument,
  path: string,
  method: string,
  known: Known,
): fc.Arbitrary<MadeRequest> {
  const operation = document.paths[path]?.[method]
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`)
  const { schemas, parameters: shared, responses, requestBodies } = document.components
  const make = new Generator(schemas, known)
  const parameters = (operation.parameters ?? []).map((each) =>
    each.$ref === undefined ? each : (shared[lastName(each.$ref)] as Parameter),
  )
  const of = (place: Parameter['in']) => parameters.filter((each) => each.in === place)

  const segments = fc.record(
    Object.fromEntries(of('path').map(({ name, schema }) => [name, value(schema, name, path)])),
  )
  // A list has hundreds of filters: one of them is asked for as often as any other parameter.
  const { filters = [], others = [] } = Object.groupBy(of('query'), ({ schema }) =>
    /schemas\/Filter/.test(schema.$ref ?? '') ? 'filters' : 'others',
  )
  const query = fc
    .tuple(
      ...others.map((each) => sometimes(single(each), 10)),
      sometimes(filters.length === 0 ? fc.constant([]) : fc.constantFrom(...filters).chain(single), 10),
    )
    .map((pairs) => pairs.flatMap((each) => each ?? []))
  const odd = sometimes(fc.constantFrom<Pair>(['pagesize', '1'], ['dry_run', 'true'], ['format', 'frob'], ['', '']), 4)
  const headers = fc
    .tuple(
      ...of('header').map(({ name, schema }) =>
        sometimes(
          value(schema, name).map((each) => [name, each]),
          15,
        ),
      ),
    )
    .map((pairs) => pairs.filter((each) => each !== undefined))
  const accept = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json, */*;q=0.5') },
    { weight: 6, arbitrary: fc.constantFrom(...acceptable()) },
    { weight: 1, arbitrary: fc.constant('image/png') },
  )

  return fc
    .record({ segments, query, odd, headers, accept, sent: body() })
    .map(({ segments, query, odd, headers, accept, sent }) => {
      const pairs = [...query, ...(odd === undefined ? [] : [odd])]
      const search = pairs.map((pair) => pair.map((each) => encodeURIComponent(each)).join('=')).join('&')
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name] || ' '))
      return {
        method: method.replace('x-', '').toUpperCase(),
        path: search === '' ? filled : `${filled}?${search}`,
        headers: {
          accept,
          ...(sent && { 'content-type': sent.type }),
          ...Object.fromEntries(headers.filter(([, text]) => /^[\x20-\x7e]*$/.test(text ?? ''))),
        },
        body: sent?.text,
      }
    })

  /** Mostly as described; as text, which is what an address and a header carry. */
  function value(schema: Schema, name: string, within = ''): fc.Arbitrary<string> {
    const near = within === '' ? name : `${within}#${name}`
    return fc
      .oneof({ weight: 15, arbitrary: make.valid(schema, near) }, { weight: 1, arbitrary: make.beside(schema, name) })
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)).toWellFormed())
  }

  function single({ name, schema }: Parameter): fc.Arbitrary<readonly Pair[]> {
    return value(schema, name).map((text) => [[name, text]])
  }

  /** In each representation that any answer has; a live stream has no end to wait for. */
  function acceptable(): readonly string[] {
    const answers = Object.values(operation?.responses ?? {})
    const contents = answers.map(({ $ref, content }) =>
      $ref === undefined ? content : responses[lastName($ref)]?.content,
    )
    const types = contents.flatMap((content) => Object.keys(content ?? {}))
    return [...new Set(types)].filter((type) => type !== 'text/event-stream')
  }

  function body(): fc.Arbitrary<{ readonly type: string; readonly text: string } | undefined> {
    const { $ref, content: own } = operation?.requestBody ?? {}
    const content = Object.entries(($ref === undefined ? own : requestBodies[lastName($ref)]?.content) ?? {})
    if (content.length === 0) return fc.constant(undefined)
    const right = fc
      .constantFrom(...content)
      .chain(([type, { schema }]) =>
        fc
          .oneof(
            { weight: 3, arbitrary: make.valid(schema, path) },
            { weight: 1, arbitrary: make.beside(schema, path) },
          )
          .map((each) => ({ type, text: type.includes('json') ? JSON.stringify(each) : asForm(each) })),
      )
    const wrong = fc.constantFrom(
      { type: 'text/plain', text: 'x' },
      { type: 'application/json', text: '{"a":' },
      { type: 'application/json', text: '' },
      undefined,
    )
    return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong })
  }
}

type Pair = readonly [name: string, value: string]

const lastName = (pointer: string): string => pointer.replace(/.*\//, '')

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, percent: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary })

const asForm = (value: unknown): string =>
  typeof value !== 'object' || value === null
    ? String(value)
    : new URLSearchParams(Object.entries(value).map(([name, each]) => [name, String(each).toWellFormed()])).toString()
