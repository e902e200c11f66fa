import { pick } from '../../../src/demo/random.ts'
import { extensible } from '../../../src/model/nouns/field/field.ts'
import type { AddedField } from '../../../src/model/source/added-field.ts'
import { addedKinds } from '../../../src/model/source/added-kinds.ts'
import { chance, type Drawing, either, someThing } from './drawing.ts'
import { drawText } from './values.ts'

// What is drawn of the model: fields of every kind, with names that mean something elsewhere, and pipelines.

/** The first ones most often. */
const names: readonly string[] = [
  ...[
    'id',
    'own',
    'type',
    'value',
    'key',
    'constructor',
    'name',
    'title',
    'doc',
    'revision',
    'data',
    'links',
    'status',
  ],
  ...[
    'atom',
    'fullkey',
    'path',
    'parent',
    'rowid',
    'json',
    'select',
    'order',
    'group',
    'code',
    'count',
    'deal',
    'reference',
  ],
  ...[
    'a',
    'b',
    'c',
    'x',
    'y',
    'z',
    'budget',
    'branch',
    'renewalDate',
    'at',
    'form',
    'params',
    'customer',
    'total',
    'meta',
  ],
]
const choices = ['a', 'b', 'c', "it's?", 'y"', '{"id":', 'null', 'É', 'wide word'] as const
const flags = ['required', 'unique', 'indexed', 'searched'] as const

/** The parameters of an operation on the model, where a declaration cannot say what goes together; else nothing. */
export function modelParams(drawing: Drawing, action: string, target: string): object | undefined {
  const { random } = drawing
  switch (action) {
    case 'CreateField': {
      const kind = chance(drawing, 30) ? pick(['link', 'choices', 'text'] as const, random) : pick(addedKinds, random)
      const set = flags.filter((flag) => suits(kind, flag) && chance(drawing, flag === 'required' ? 12 : 35))
      return {
        ...{
          on: either(drawing, ...extensible, 'deal'),
          name: pick(chance(drawing, 30) ? names.slice(0, 6) : names, random),
          title: drawText(drawing),
          kind,
        },
        ...optionsFor(drawing, kind),
        ...Object.fromEntries(set.map((flag) => [flag, true])),
        ...(chance(drawing, 5) && { titles: { de: drawText(drawing) } }),
        ...(chance(drawing, 20) && placed(drawing)),
      }
    }
    case 'ChangeField':
      return changeOf(
        drawing,
        drawing.schema.fields.find((each) => isNamed(drawing, each, target)),
      )
    case 'CreatePipeline':
      return {
        ...{
          name: pick(['renewals', 'id', 'sales', 'own', 'p'], random),
          title: drawText(drawing),
          stages: stages(drawing),
        },
        ...(chance(drawing, 30) && { lostReasons: [drawText(drawing)] }),
        ...(chance(drawing, 20) && titled(drawing)),
      }
    case 'ChangePipeline':
      return pipelineChange(drawing, target)
    case 'DeletePipeline':
      return chance(drawing, 60) ? { moveTo: pick(drawing.schema.pipelines, random).name } : {}
    default:
      return undefined
  }
}

const suits = (kind: string, flag: (typeof flags)[number]): boolean =>
  flag === 'required' ||
  (flag === 'searched' && /^(text|choices|email|phone|url)$/.test(kind)) ||
  (flag === 'unique' && /^(text|integer|number|date|email|phone|url)$/.test(kind)) ||
  (flag === 'indexed' && kind !== 'choices')

/** A place among the fields, and a heading. */
const placed = (drawing: Drawing): object => ({
  ...(chance(drawing, 70) && { position: either(drawing, -1, 0, 1, 5, 1_000_000) }),
  ...(chance(drawing, 70) && { group: chance(drawing, 20) ? null : drawText(drawing) }),
})

const titled = (drawing: Drawing): object => ({ titles: { [either(drawing, 'de', 'fr-CH')]: drawText(drawing) } })

function optionsFor(drawing: Drawing, kind: AddedField['kind']): { readonly options?: AddedField['options'] } {
  if (kind === 'choice' || kind === 'choices') return { options: { values: someChoices(drawing) } }
  if (kind === 'link') return { options: { to: either(drawing, 'customer', 'deal', 'task') } }
  return kind === 'text' && chance(drawing, 20) ? { options: { max: either(drawing, 5, 300, 10_000) } } : {}
}

const someChoices = (drawing: Drawing) =>
  choices
    .filter((_, at) => at === 0 || chance(drawing, 50))
    .toSorted(() => (chance(drawing, 50) ? 1 : -1))
    .map((value) => ({ value, title: `The ${value}` }))

/** The model has ids, the history names. */
const isNamed = ({ known }: Drawing, { on, name }: AddedField, target: string): boolean => {
  const shown = known.get(target)?.latest
  return shown?.on === on && shown.name === name
}

function changeOf(drawing: Drawing, field: AddedField | undefined): object {
  const { random } = drawing
  const kind = field?.kind ?? 'text'
  const drawn = random(10)
  if (drawn === 0 || field === undefined) return { title: drawText(drawing) }
  if (drawn === 9) return placed(drawing)
  if (drawn < 4 && (kind === 'choice' || kind === 'choices')) {
    const values = someChoices(drawing)
    const gone = choices.filter((each) => !values.some(({ value }) => value === each))
    const replaceBy = Object.fromEntries(gone.map((each) => [each, pick(values, random).value]))
    return { options: { values }, ...(chance(drawing, 70) && { replaceBy }) }
  }
  // Values that things were named by are no names any more.
  const isNoName = field.unique === true && chance(drawing, 50)
  const flag = isNoName
    ? 'unique'
    : pick(
        flags.filter((each) => suits(kind, each) || chance(drawing, 5)),
        random,
      )
  return { [flag]: field[flag] !== true }
}

const stages = (drawing: Drawing) =>
  ['lead', 'qualified', 'won', 'id', 'due', 'offered']
    .filter((_, at) => at === 0 || chance(drawing, 50))
    .toSorted(() => (chance(drawing, 50) ? 1 : -1))
    .map((name) => ({
      ...{ name, title: name.toUpperCase() },
      ...(chance(drawing, 40) && { likelihood: drawing.random(101) }),
      ...(chance(drawing, 20) && { requires: [requirable(drawing)] }),
      ...(chance(drawing, 20) && titled(drawing)),
    }))

const requirable = (drawing: Drawing): string =>
  pick([...(drawing.schema.byName.get('deal')?.names ?? ['owner']), 'customer.email', 'owner'], drawing.random)

function pipelineChange(drawing: Drawing, target: string): object {
  const shown = drawing.known.get(target)?.latest ?? someThing(drawing, 'pipeline')?.latest
  const sent = stages(drawing)
  const before = (shown?.stages ?? []) as readonly { readonly name: string }[]
  const kept = chance(drawing, 60) ? before : before.slice(1)
  const all = [...kept, ...sent.filter(({ name }) => !before.some((each) => each.name === name))]
  const gone = before.filter(({ name }) => !all.some((each) => each.name === name))
  const moveTo = Object.fromEntries(gone.map(({ name }) => [name, all[0]?.name ?? 'lead']))
  if (chance(drawing, 25)) return { title: drawText(drawing) }
  if (chance(drawing, 15)) return { default: true }
  if (chance(drawing, 15)) return titled(drawing)
  return { stages: all, ...(gone.length > 0 && chance(drawing, 80) && { moveTo }) }
}
