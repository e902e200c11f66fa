import type { Collection } from '../../../queries/collection.ts'
import { fieldNames } from '../../../queries/members/fields.ts'
import { dateParts } from '../../../queries/members/groups.ts'
import { answerBounds } from '../../../values/bounds.ts'
import type { JsonSchema, KindName } from '../../../values/kinds/kind.ts'
import { listingOf } from '../vocabulary.ts'
import { query, setting } from './parameter.ts'
import { titleOf } from './schemas/item-schemas.ts'

/** The parameters of a collection's own fields, by the names of their components. */
export function collectionParameters(collection: Collection): readonly [string, JsonSchema][] {
  const own = listingOf(collection).filters
  const indexed = own.filter((field) => field.indexed).map(({ name }) => `\`${name}\``)
  const patterns = groupPatterns(collection)
  // Groups are sorted by keys and measures.
  const sorts = `(${own.map(({ name }) => name).join('|')}|count|\\w+\\.[\\w.]+)`
  const sorted = ` *-?${sorts}([ .](asc|desc))?(\\.nullslast)?`
  const title = titleOf(collection)
  return [
    [
      `${title}Sort`,
      setting(
        'sort',
        `Fields, separated by commas; \`-age\`, \`age desc\` and \`age.desc\` sort downwards. Nulls come last; \`${collection.key}\` breaks ties in the direction of the last field; choices are in their declared order. Answered from an index: ${indexed.join(', ')}.`,
        { type: 'string', maxLength: 1000, pattern: listPattern(sorted) },
      ),
    ],
    [
      `${title}Fields`,
      setting(
        'fields',
        'The members to show, separated by commas; `*` is all of them. Naming a member of a related thing (`customer.name`) expands it.',
        listOf(['*', ...fieldNames(collection)]),
      ),
    ],
    ...expandOf(collection),
    [
      `${title}Group`,
      query(
        'group',
        `Fields that make groups, separated by commas; dates also by \`.year\`, \`.month\`, \`.week\` (ISO 8601) and \`.day\`, in UTC. Null is a group of its own. The answer is a page of groups, which \`sort\` and \`page\` go by.`,
        { type: 'string', maxLength: 2000, pattern: listPattern(patterns.key) },
      ),
    ],
    [
      `${title}Measure`,
      query(
        'measure',
        collection.isMeasured
          ? 'What is computed of each group, separated by commas: `count` (the default), or `count`, `sum`, `avg`, `min`, `max` of a field, such as `sum.price`. Null is left out. `sum` and `avg` of amounts need one currency: in `group` or as a filter.'
          : 'What is computed of each group: `count`.',
        { type: 'string', maxLength: 2000, pattern: listPattern(patterns.measure) },
      ),
    ],
  ]
}

function expandOf(collection: Collection): readonly [string, JsonSchema][] {
  const relations = [...collection.relations.values()]
  if (relations.length === 0) return []
  const said = relations.map(({ name, kind, of }) =>
    kind === 'one'
      ? `\`${name}\`: the ${of.name}, or null.`
      : `\`${name}\`: the latest ${answerBounds.related}; a page then has at most ${answerBounds.related} items.`,
  )
  const description = `The related things to show, separated by commas. ${said.join(' ')} The answer has no ETag.`
  return [[`${titleOf(collection)}Expand`, setting('expand', description, listOf(relations.map(({ name }) => name)))]]
}

/** Names separated by commas. */
function listOf(names: readonly string[]): JsonSchema {
  const any = names.map((name) => name.replaceAll(/[.*]/g, '\\$&')).join('|')
  return { type: 'string', maxLength: 1000, pattern: listPattern(`(${any})`) }
}

/** The names of keys and measures of groups. Fields of related things are not repeated: the filters have them. */
function groupPatterns(collection: Collection): { readonly key: string; readonly measure: string } {
  const { filters: own, references } = listingOf(collection)
  const ones = references.map(({ name }) => `${name}(\\.\\w+){1,2}`)
  const names = (...kinds: readonly KindName[]): readonly string[] => {
    const those = own.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind.name))
    return [...those.map(({ name }) => name), ...ones]
  }
  const parts = oneOf('', names('date', 'instant'), `\\.(${dateParts.join('|')})`)
  const measures = [...oneOf('(count|min|max)\\.', names()), ...oneOf('(sum|avg)\\.', names('integer', 'amount'))]
  return {
    key: `(${[...oneOf('', names()), ...parts].join('|')})`,
    measure: `(${['count', ...(collection.isMeasured ? measures : [])].join('|')})`,
  }
}

/** A pattern of any of the names; matches nothing if there are none. */
const oneOf = (before: string, names: readonly string[], behind = ''): readonly string[] =>
  names.length === 0 ? [] : [`${before}(${names.join('|')})${behind}`]

const listPattern = (one: string): string => `^ *${one} *(, *${one} *)*$`
