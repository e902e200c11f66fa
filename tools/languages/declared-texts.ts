import type { Happening } from '../../src/model/declaration/event.ts'
import type { Params, Say } from '../../src/model/declaration/operation.ts'
import type { Operation, Resource } from '../../src/model/declaration/schema.ts'
import { auditEvents } from '../../src/model/nouns/audit/record.ts'
import { ownReasons } from '../../src/model/nouns/deal/params.ts'
import { happenings } from '../../src/model/nouns/event-types.ts'
import { buildSchema } from '../../src/model/schema/build-schema.ts'
import { label } from '../../src/representations/html/label.ts'
import { listTexts } from '../../src/screens/list/list-screen.ts'
import { UNKNOWN, withActor, withoutActor } from '../../src/screens/parts/happenings/happening.ts'
import { deletedTexts } from '../../src/screens/thing/deleted.ts'
import type { Json } from '../../src/values/json/json.ts'
import type { Kind } from '../../src/values/kinds/kind.ts'

const schema = buildSchema()
const { operations, resources, audited } = schema

/** What the model declares in English and pages say. */
export const declaredTexts = (): readonly string[] => [
  ...operations.flatMap(({ title, group, again }) => [title, group, ...(again === undefined ? [] : [again])]),
  ...operations.filter(({ danger }) => danger).map(({ title, on }) => `${title} this ${on.name}`),
  ...[...happenings(schema).flatMap(sentencesOf), UNKNOWN].flatMap((done) => [withActor(done), withoutActor(done)]),
  ...ownReasons,
  ...resources.flatMap(({ name, plural, names }) => [name, plural, ...names]).map(label),
  ...resources.flatMap((resource) => Object.values(listTexts(resource))),
  ...resources.filter(({ keepsDeleted }) => keepsDeleted).flatMap((resource) => Object.values(deletedTexts(resource))),
  ...operations.flatMap(({ params }) => Object.keys(params)).map(label),
  ...auditEvents(schema).values(),
  ...audited.map(({ title }) => title?.(anything).text ?? '').filter((text) => /[A-Z]/.test(text)),
  ...resources.flatMap(choicesOf).map(({ value }) => label(value)),
]

/** Has any field. */
const anything: object = new Proxy({}, { get: (_, name) => String(name) })
const said = (): string => ''
const silent: Say<string> = {
  amount: said,
  date: said,
  number: said,
  choice: said,
  name: said,
  fields: said,
  person: said,
}

/** Every sentence of an operation: with each parameter that it looks at given, left out, null and each of its choices. */
function sentencesOf(happening: Happening): readonly string[] {
  const { sentence } = happening
  const operation = operations.find((each) => each === happening)
  if (operation === undefined) return [sentence({}, silent).done]
  const looked = new Set<string>()
  const noting = new Proxy({}, { get: (_, name) => void looked.add(String(name)) })
  sentence(noting, silent)
  return variations(operation, [...looked]).map((params) => sentence(params, silent).done)
}

function variations({ on, params, examples }: Operation, names: readonly string[]): readonly Params[] {
  const given = Object.assign({}, ...examples.toReversed()) as Params
  return names.reduce<readonly Params[]>(
    (all, name) =>
      all.flatMap((each) => {
        const member = params[name]
        const { [name]: _left, ...without } = each
        return [
          // An example may give none.
          { ...each, [name]: each[name] ?? 'x' },
          ...(member?.required ? [] : [without]),
          ...(member?.kind.nullable ? [{ ...each, [name]: null }] : []),
          ...((member?.kind.schema.enum ?? []) as readonly Json[]).map((value) => ({ ...each, [name]: value })),
        ]
      }),
    // An added field may be among the parameters.
    on.extensible ? [given, { ...given, own: { x: 1 } }] : [given],
  )
}

/** The values of fields that are words: stages, states. */
function choicesOf({ kinds }: Resource): readonly { readonly field: string; readonly value: string }[] {
  return Object.entries(kinds as { readonly [field: string]: Kind<unknown> }).flatMap(([field, { schema }]) =>
    ((schema.enum ?? []) as readonly Json[]).flatMap((value) =>
      typeof value === 'string' && /^[a-z]{2,}/.test(value) ? [{ field, value }] : [],
    ),
  )
}
