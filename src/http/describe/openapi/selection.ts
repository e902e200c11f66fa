import type { Schema } from '../../../model/declaration/schema.ts'
import { near, reason } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import type { DescribedDoor } from '../../contract/described-door.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type RefusedCall, wrongParameter } from '../../contract/problems/problem.ts'
import { isReading } from '../../contract/route.ts'
import { forms } from '../../forms/forms.ts'

/** The content of a small document: one form of the operations, one resource, or a door in place of both. */
export interface Selection {
  readonly form?: string
  readonly tag?: string
  readonly door?: DescribedDoor
}

export const selectionNames = ['form', 'door', 'tag'] as const

/** The selection of an address, in which every name is known. */
export function readSelection(
  parameters: ReadonlyMap<string, string>,
  doors: readonly DescribedDoor[],
  schema: Schema,
): Selection | RefusedCall {
  const known = {
    form: forms.map(({ name }) => name),
    door: doors.map(({ name }) => name),
    tag: [...schema.resources, ...schema.audited].map(({ plural }) => plural),
  }
  for (const what of selectionNames) {
    const name = parameters.get(what)
    if (name === undefined || known[what].includes(name)) continue
    return {
      problem: wrongParameter(what, reason('unknown-name', { what, name, ...near(nearest(name, known[what])) })),
    }
  }
  const door = doors.find(({ name }) => name === parameters.get('door'))
  const beside = selectionNames.find((what) => what !== 'door' && parameters.has(what))
  if (door !== undefined && beside !== undefined)
    return { problem: wrongParameter('door', reason('not-together', { other: beside })) }
  const [form, tag] = [parameters.get('form'), parameters.get('tag')]
  return { ...(form !== undefined && { form }), ...(tag !== undefined && { tag }), ...(door && { door }) }
}

/** The endpoints of a small document, in their order. */
export const selectedEndpoints = (endpoints: readonly Endpoint[], { form, tag }: Selection): readonly Endpoint[] =>
  endpoints.filter(
    (endpoint) => (form === undefined || isInForm(endpoint, form)) && (tag === undefined || isTagged(endpoint, tag)),
  )

/** Things are made and deleted in one form, which stays; entries are read where the noun puts them. */
function isInForm({ method, describes }: Endpoint, form: string): boolean {
  if (isReading(method)) return describes?.operation === undefined || form === 'noun'
  const own = describes?.forms
  return own === undefined || own.includes(form) || own.includes('resource')
}

const isTagged = ({ describes }: Endpoint, tag: string): boolean =>
  describes?.group.split(':', 1)[0]?.toLowerCase() === tag
