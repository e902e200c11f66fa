import type { Call, SeenTable } from '../http/contract/endpoint.ts'
import type { ShownList } from '../http/contract/shown.ts'
import type { Operation, Resource } from '../model/declaration/schema.ts'
import type { DocumentForm, FormField } from '../representations/document.ts'
import type { Stored } from '../store/port/desk.ts'
import { customerList } from './customers/list.ts'
import { customerScreen } from './customers/thing.ts'
import { dealList } from './deals/list.ts'
import { dealScreen } from './deals/thing.ts'
import { fieldList } from './fields/list.ts'
import { fieldScreen } from './fields/thing.ts'
import type { FormRefusal } from './forms/refused-form.ts'
import type { ListScreen } from './list/list-screen.ts'
import { showList } from './list/read.ts'
import { seenTable } from './list/seen-table.ts'
import type { Action } from './operation/actions.ts'
import { showActions, showOperation } from './operation/read.ts'
import type { Screen } from './parts/screen.ts'
import type { FieldsOfThing, SeenThing } from './parts/shown.ts'
import { pipelineList } from './pipelines/list.ts'
import { pipelineScreen } from './pipelines/thing.ts'
import { rateList } from './rates/list.ts'
import { samplesFor } from './reference/samples.ts'
import { targetList } from './targets/list.ts'
import { taskList } from './tasks/list.ts'
import { taskScreen } from './tasks/thing.ts'
import { type ScreensOfThing, showDeleted, showRefused, showThing } from './thing/read.ts'
import { askedFirst, type ThingScreen } from './thing/thing-screen.ts'
import { viewList } from './views/list.ts'
import { viewScreen } from './views/thing.ts'

interface DeclaredScreens {
  readonly list?: ListScreen
  readonly thing?: ThingScreen
}

/** The differences from the screens that follow from a resource's declaration. */
const declared: { readonly [resource: string]: DeclaredScreens } = {
  customer: { list: customerList, thing: customerScreen },
  deal: { list: dealList, thing: dealScreen },
  field: { list: fieldList, thing: fieldScreen },
  pipeline: { list: pipelineList, thing: pipelineScreen },
  rate: { list: rateList },
  target: { list: targetList },
  task: { list: taskList, thing: taskScreen },
  view: { list: viewList, thing: viewScreen },
}

const plain = {}
const listOf = ({ name }: Resource): ListScreen => declared[name]?.list ?? plain
const screensOf = ({ name }: Resource): ScreensOfThing => ({ thing: declared[name]?.thing ?? plain, list: listOf })

/** The list of a resource. */
export const showThings = (resource: Resource, list: ShownList, call: Call): Promise<Screen> =>
  showList(resource, listOf(resource), list, call)

/** The same as a table for a file. */
export const seenTableOf = (
  resource: Resource,
  fields: readonly string[] | undefined,
  call: Call,
): Promise<SeenTable> => seenTable(resource, listOf(resource), fields, call)

/** The fields of the form for a new one. */
export const fieldsToCreate = (resource: Resource, fields: readonly FormField[]): readonly FormField[] =>
  declared[resource.name]?.thing?.creating?.(fields, { resource }) ?? fields

/** The form of an operation on several things, with what the page of any of them suggests. */
export function askedOfAll(operation: Operation, form: DocumentForm, things: readonly FieldsOfThing[]): DocumentForm {
  const { asked } = screensOf(operation.on).thing
  const all = asked === undefined ? [] : things.map((thing) => asked(operation, thing as SeenThing))
  const fields = askedFirst(form.fields, Object.assign({}, ...all)).map((field) => {
    const those = all.flatMap(({ [field.name]: each }) => each ?? [])
    const suggestions = new Set(those.flatMap((each) => each.suggestions ?? []))
    return { ...field, ...those[0], ...(suggestions.size > 0 && { suggestions: [...suggestions] }) }
  })
  return { ...form, fields }
}

/** The page of a thing, also of a deleted one, and with a refused form. */
export const showOne = (resource: Resource, thing: Stored, call: Call): Promise<Screen> =>
  showThing(resource, thing, screensOf(resource), call)

export const showDeletedOne = (resource: Resource, thing: Stored, call: Call): Promise<Screen> =>
  showDeleted(resource, thing, screensOf(resource), call)

export const showRefusedOne = (
  refusal: FormRefusal,
  operation: Operation,
  fields: ReadonlyMap<string, string>,
  call: Call,
): Promise<Screen | undefined> => showRefused(refusal, operation, fields, screensOf(operation.on), call)

/** All operations on a thing, and one of them. */
export const showActionsOn = (resource: Resource, thing: Stored, actions: readonly Action[], call: Call): Screen =>
  showActions(resource, thing, actions, screensOf(resource).thing, call)

export const showOperationOn = (operation: Operation, thing: Stored, call: Call): Promise<Screen> =>
  showOperation(operation, thing, samplesFor(call)(operation, thing), screensOf(operation.on).thing, call)
