import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import type { FormField } from '../../representations/document.ts'
import { queryBounds } from '../../values/bounds.ts'
import type { JsonSchema, Kind } from '../../values/kinds/kind.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import { titledChoices } from '../forms/form-fields.ts'
import { suggestedFrom } from '../forms/picks.ts'
import { isOnlyChoice } from '../parts/value-text.ts'
import { columnNames, fieldText } from './columns.ts'
import type { ListScreen } from './list-screen.ts'

/** The fields of the filter bar: the same array for the same filters, so that empty fields are written once. */
export const filterFields = bySchema((resource: Resource) => {
  const ofScreen = onceFor((screen: ListScreen) =>
    memoize((_key, base: string, without: readonly string[]): readonly FormField[] => {
      const { filters = usualFilters(resource) } = screen
      const fields = [...filters, ...addedFilters(resource)]
        .filter((filter) => !without.includes(filter.split('.', 1)[0] ?? '') && !hasOneValue(resource, filter))
        .map((filter) => filterField(resource, screen, filter, base))
      return resource.searched === undefined ? fields : [search, ...fields]
    }),
  )
  return (screen: ListScreen, { base }: Pick<Addresses, 'base'>, without: readonly string[] = []) =>
    ofScreen(screen)(`${base} ${without.join()}`, base, without)
})

const hasOneValue = ({ kinds }: Resource, filter: string): boolean => {
  const kind = kinds[filter]
  return kind !== undefined && isOnlyChoice(kind)
}

const search: FormField = {
  name: SEARCH,
  label: say('Search'),
  schema: { type: 'string', maxLength: queryBounds.search },
}

/** The filters of added fields, whatever their kind. */
const addedFilters = ({ added }: Resource): readonly string[] =>
  added.slice(0, MOST_ADDED).flatMap(({ name, field: { kind } }) => {
    if (isRange(kind) && kind.refersTo === undefined) return [`${name}.gte`, `${name}.lte`]
    const isText = kind.name === 'text' && kind.namesUser === undefined
    return [isText ? `${name}.contains` : name]
  })

/** A bar with more filters would be longer than its page; the address takes them all. */
const MOST_ADDED = 24

const isRange = ({ name }: Kind<unknown>): boolean =>
  name === 'amount' || name === 'integer' || name === 'date' || name === 'instant'

/**
 * One of a few values, a user, a range of numbers, until a day: the filters that a bar can offer for the kinds of the
 * fields.
 */
const usualFilters = (resource: Resource): readonly string[] =>
  columnNames(resource)
    .filter((field) => resource.fields[field]?.by !== 'service' && resource.kinds[field]?.titled === undefined)
    .flatMap((field) => {
      const kind = resource.kinds[field]
      if (kind === undefined || kind.refersTo !== undefined) return []
      if (kind.schema.enum !== undefined || kind.name === 'boolean' || kind.namesUser) return [field]
      if (kind.name === 'amount' || kind.name === 'integer') return [`${field}.gte`, `${field}.lte`]
      return kind.name === 'date' ? [`${field}.lte`] : []
    })

/** `price.gte` is the price from an amount on. */
function filterField(resource: Resource, { filterTexts, heads }: ListScreen, filter: string, base: string): FormField {
  const [, field = '', operator] = /^(.*?)(?:\.(gte|lte|contains))?$/.exec(filter) ?? []
  const kind = resource.kinds[field]
  const text = heads?.[field] ?? fieldText(resource, field)
  const isTime = kind?.name === 'date' || kind?.name === 'instant'
  const choices = kind && titledChoices(kind)
  const to = kind?.refersTo === undefined ? undefined : resourceNamed(resource.schema, kind.refersTo)
  return {
    name: filter,
    label: filterTexts?.[filter] ?? compared(text, operator, isTime),
    schema: operator === 'contains' ? part : (kind?.schema ?? {}),
    ...(kind?.namesUser && { namesUser: kind.namesUser }),
    ...(choices && { choices }),
    ...(to?.searched && { picks: suggestedFrom(to, base) }),
  }
}

const part: JsonSchema = { type: 'string', maxLength: queryBounds.search }

function compared(field: Text, operator: string | undefined, isTime: boolean): Text {
  if (operator === 'gte') return say('{field} from', { field })
  if (operator === 'lte') return isTime ? say('{field} until', { field }) : say('{field} to', { field })
  return field
}
