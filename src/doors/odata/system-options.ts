import { parameterProblem, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { SortTerm } from '../../queries/query.ts'
import type { Parameter, QueryString } from '../../queries/query-string.ts'
import { answerBounds } from '../../values/bounds.ts'
import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Read } from '../../values/kinds/kind.ts'
import { boolean } from '../../values/kinds/number.ts'
import type { DoorCall } from '../door.ts'
import { settingsIn, wholeNumber } from '../kit/settings.ts'
import { type Expanded, readExpand } from './expand-options.ts'
import { readOrder, readSelect } from './member-options.ts'
import type { EntitySet } from './model/entity-sets.ts'
import { type JsonFormat, jsonFormat, notJson } from './protocol.ts'

/** The system query options of a request; those that the service reads itself stay texts. */
export interface SystemOptions {
  readonly filter?: string
  readonly orderby?: readonly SortTerm[]
  readonly search?: string
  readonly format?: string
  readonly top?: number
  readonly skip?: number
  readonly count: boolean
  readonly select?: readonly string[]
  readonly expand: readonly Expanded[]
  readonly skiptoken?: SkipToken
}

/** The position to continue a list, and the size of its pages. */
export interface SkipToken {
  readonly size: number
  readonly cursor: string
}

export const listOptions = [
  'filter',
  'orderby',
  'search',
  'top',
  'skip',
  'count',
  'select',
  'expand',
  'skiptoken',
  'format',
] as const
export const countOptions = ['filter', 'search', 'format'] as const
export const entityOptions = ['select', 'expand', 'format'] as const
export const noOptions = ['format'] as const

type OptionName = (typeof listOptions)[number]

/** Reads the options that are known here. Names work with and without `$`, in any case (4.01, URL Conventions §5.1). */
export function readSystemOptions(
  { parameters }: QueryString,
  known: readonly OptionName[],
  set: EntitySet | undefined,
): { readonly options: SystemOptions } | RefusedCall {
  const texts = new Map<OptionName, string>()
  const faults: Fault[] = []
  for (const parameter of parameters) {
    const name = known.find((each) => each === plainName(parameter))
    const why = name === undefined ? unknown(parameter, known) : faultOf(parameter, texts.has(name))
    if (why !== undefined) faults.push({ ...why, at: { parameter: parameter.name } })
    else if (name !== undefined) texts.set(name, parameter.value ?? '')
  }
  const read = settingsIn(texts, faults, '$')
  const options = {
    ...Object.fromEntries((['filter', 'search', 'format'] as const).map((name) => [name, texts.get(name)])),
    orderby: set && read('orderby', (text) => readOrder(set.collection, text)),
    top: read('top', wholeNumber),
    skip: read('skip', wholeNumber),
    count: read('count', boolean.readText),
    select: set && read('select', (text) => readSelect(set, text)),
    expand: (set && read('expand', (text) => readExpand(set, text))) ?? [],
    skiptoken: read('skiptoken', readSkipToken),
  }
  if (faults.length > 0) return { problem: parameterProblem(faults) }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { options: { count: false, expand: [], ...Object.fromEntries(given) } }
}

/** The same, with the format of data that they and Accept ask for. */
export function readDataOptions(
  call: Pick<DoorCall, 'query' | 'headers'>,
  known: readonly OptionName[],
  set?: EntitySet,
): { readonly options: SystemOptions; readonly format: JsonFormat } | RefusedCall {
  const read = readSystemOptions(call.query, known, set)
  if ('problem' in read) return read
  const format = jsonFormat(call, read.options.format)
  return format === undefined ? { problem: notJson } : { ...read, format }
}

export const plainName = ({ name }: Parameter): string => name.toLowerCase().replace(/^\$/, '')

function unknown(parameter: Parameter, known: readonly string[]): Reason {
  const meant = nearest(plainName(parameter), known)
  return reason('unknown', near(meant && `$${meant}`))
}

function faultOf({ fault, value }: Parameter, isRepeated: boolean): Reason | undefined {
  if (fault !== undefined) return fault
  if (value === undefined) return reason('required', { wants: 'value' })
  return isRepeated ? reason('repeated') : undefined
}

const readSkipToken = (text: string): Read<SkipToken> => {
  const [, size = '', cursor = ''] = /^(\d{1,4})\.(.+)$/s.exec(text) ?? []
  return cursor === ''
    ? fault('malformed', { wants: 'cursor' })
    : { value: { size: Math.min(Math.max(1, Number(size)), answerBounds.page), cursor } }
}
