import { isSameValue } from '../../values/json/canonical.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { capitalized, choice, text } from '../../values/kinds/text.ts'
import { addDays, instant } from '../../values/kinds/time.ts'
import { type Members, nested, orNow, required, withDefault } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import type { CreateMembers, Fields, PatchMembers } from './field.ts'
import { type Apply, type Check, defineOperation, type Params, paramNames, valueIn } from './operation.ts'
import type { DeclaredResource } from './resource.ts'

interface FieldCreation<F extends Fields> {
  readonly examples: readonly [Params, ...Params[]]
  /** Such as `Save a view` and `saved the view`, if "create" is not the right word. */
  readonly said?: { readonly title: string; readonly done: string }
  readonly check?: Check<F, CreateMembers<F>>
  /** Checks the fields together; without it, each may have any of its values. */
  readonly apply?: Apply<F, CreateMembers<F>>
}

/** The operation that creates a thing from the fields that clients give. */
export function defineCreation<const N extends string, const F extends Fields>(
  on: DeclaredResource<N, F>,
  { examples, said, check, apply = (_blank, fields) => fields as object }: FieldCreation<F>,
) {
  const { title, done } = said ?? { title: `Create a ${on.name}`, done: `created the ${on.name}` }
  return defineOperation({
    on,
    name: 'create',
    title,
    words: { participles: [], noun: '', action: `Create${capitalized(on.name)}`, event: `${on.name}.created` },
    group: capitalized(on.plural),
    sentence: () => ({ done }),
    to: 'nothing',
    params: ({ create }) => create,
    examples,
    allowed: [],
    changes: [],
    ...(check && { check }),
    apply,
  })
}

interface FieldChange<F extends Fields> {
  readonly noun: string
  readonly examples: readonly [Params, ...Params[]]
  /** Fields that only a creation sets. */
  readonly fixed?: readonly (keyof F & string)[]
  /** Fields that a change sets, but no creation. */
  readonly further?: Members
  /** A change that sets one of these is not undone. */
  readonly final?: readonly (keyof F & string)[]
  readonly check?: Check<F, PatchMembers<F>>
  /** Checks the fields together; without it, each may have any of its values. */
  readonly apply?: Apply<F, PatchMembers<F>>
}

/** The operation that changes any of the fields that clients give: the target of an attribute update. */
export function defineChange<const N extends string, const F extends Fields>(
  on: DeclaredResource<N, F>,
  {
    noun,
    examples,
    fixed = [],
    further = {},
    final = [],
    check,
    apply = (_thing, fields) => fields as object,
  }: FieldChange<F>,
) {
  const changeable = (patch: PatchMembers<F>): PatchMembers<F> =>
    ({
      ...Object.fromEntries(Object.entries(patch).filter(([name]) => !fixed.includes(name))),
      ...further,
    }) as unknown as PatchMembers<F>
  return defineOperation({
    on,
    name: 'change',
    title: 'Change',
    words: { participles: ['changed'], noun, action: `Change${capitalized(on.name)}`, event: `${on.name}.changed` },
    group: capitalized(on.plural),
    sentence: (params, say) => ({ done: 'changed: {fields}', with: { fields: say.fields(paramNames(params)) } }),
    params: ({ patch }) => changeable(patch),
    examples,
    allowed: [],
    fromAttributes(thing, wanted, { kinds, patch }) {
      const params = changeable(patch)
      const differing = Object.entries(wanted).filter(
        ([name, value]) => Object.hasOwn(params, name) && !isSameValue(value, valueIn(thing, name)),
      )
      if (differing.length === 0) return undefined
      return { params: nested(differing.map(([name, value]) => [name, kinds[name]?.write(value)])) }
    },
    differences: true,
    undo(before, params) {
      if (final.some((name) => Object.hasOwn(params, name))) return []
      const former = paramNames(params).map((name) => [name, valueIn(before, name) ?? null] as const)
      return [{ operation: 'change', params: nested(former) as Params }]
    },
    ...(check && { check }),
    apply,
  })
}

/** The operation that removes a thing permanently. It needs the resource's own role unless another is given. */
export function defineRemoval<R extends DeclaredResource>(on: R, role: Role = on.roles.writes) {
  return defineOperation({
    on,
    name: 'delete',
    title: 'Delete',
    words: {
      participles: ['deleted'],
      noun: 'deletions',
      action: `Delete${capitalized(on.name as R['name'])}`,
      event: `${on.name as R['name']}.deleted`,
    },
    group: capitalized(on.plural),
    danger: true,
    sentence: () => ({ done: `deleted the ${on.name}` }),
    role,
    params: () => ({}),
    examples: [{}],
    allowed: [],
    changes: [],
    removes: true,
    apply: () => ({}),
  })
}

/** The kinds of notes, each with its sentence. */
const noteSentences = {
  note: 'added a note',
  call: 'noted a call',
  meeting: 'noted a meeting',
  mail: 'noted a mail',
} as const

type NoteKind = keyof typeof noteSentences

export const noteKinds = Object.keys(noteSentences) as readonly NoteKind[]

/** The operation that adds a note to a thing. Notes are events that stay as long as their thing. */
export function defineNote<R extends DeclaredResource>(on: R, group: string) {
  return defineOperation({
    on,
    name: 'add-note',
    title: 'Add a note',
    words: {
      participles: ['note-added'],
      noun: 'notes',
      action: `Add${capitalized(on.name as R['name'])}Note`,
      event: `${on.name as R['name']}.note-added`,
    },
    group,
    sentence: ({ text, kind = 'note' }) => ({ done: noteSentences[kind as NoteKind], said: String(text) }),
    params: () => ({
      text: required(text({ min: 1, max: 5000 })),
      kind: withDefault(choice(noteKinds), 'note'),
      happenedAt: orNow(instant),
    }),
    examples: [{ text: 'Called, will call back on Monday.', kind: 'call', happenedAt: '2026-10-30T09:30:00.000Z' }],
    allowed: [],
    changes: [],
    check: ({ happenedAt }, now) =>
      happenedAt === undefined || happenedAt.slice(0, 10) <= tomorrow(now)
        ? []
        : [
            {
              code: 'too-late',
              with: { max: tomorrow(now), wants: 'tomorrow' },
              at: { pointer: pointerTo('happenedAt') },
            },
          ],
    forms: 'every',
    lasting: true,
    apply: () => ({}),
  })
}

/** In UTC: in some time zones that day has begun. */
const tomorrow = (now: string): string => addDays(now.slice(0, 10), 1)
