import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { commandState } from '../../../model/perform/known.ts'
import { collectionOf, collectionsOf } from '../../../queries/collections.ts'
import { isSameId } from '../../../values/kinds/uuid.ts'
import { mayOnlyRead } from '../../../values/role.ts'
import { expandItems } from '../../ask/expand.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Description } from '../../contract/description.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { hasForm, operationsIn } from '../../contract/form.ts'
import { noSuch } from '../../contract/problems/problem.ts'
import { chosenMembers, thing, withPast } from '../../contract/success.ts'
import { commandDocument, entryDocument, thingDocument } from '../../respond/documents.ts'
import { offeredTo } from '../../respond/offered.ts'
import { actionReads } from './action-reads.ts'
import { findLive, findThing, missingThing, titleOf } from './find-thing.ts'
import { asksForPast, pastNames, readPast } from './past-reads.ts'
import { choosingFields, memberNamesOf, readMembers, withFields } from './thing-members.ts'

const reading = { method: 'GET', role: 'reader', offers: 'resource' } as const

const readsCommand: Description = {
  group: 'Commands',
  answers: [thing('commands', 'command')],
  refuses: ['command-not-found'],
}

/** Single things: each thing, its operations, an entry of its history, a command. */
export const thingReads = (schema: Schema): readonly Endpoint[] => [
  ...schema.resources.flatMap(readsOf),
  choosingFields(collectionsOf(schema).commands, {
    ...reading,
    path: '/rest/commands/:command',
    summary: 'A command',
    describes: readsCommand,
    handle: readCommand,
  }),
]

function readsOf(resource: Resource): readonly Endpoint[] {
  const { name, path, plural } = resource
  const group = titleOf(resource)
  const collection = collectionOf(resource)
  const { commands, history } = collectionsOf(resource.schema)
  return [
    {
      ...reading,
      path: `${path}/:id`,
      summary: `A ${name}`,
      parameters: [...memberNamesOf(collection), ...pastNames],
      describes: {
        group,
        asks: collection,
        answers: [withPast(thing(plural, name)), chosenMembers(plural)],
        refuses: [...missingThing(resource), 'revision-not-found', 'events-trimmed'],
      },
      handle: (call) => readThing(resource, call),
    },
    ...(hasForm(resource, 'verb') ? actionReads(resource) : []),
    ...entryAddresses(resource).map(({ noun, operation }) =>
      choosingFields(history, {
        ...reading,
        path: `${path}/:id/${noun}/:n`,
        summary: 'An entry of the history',
        describes: {
          group: `${group}: History`,
          answers: [thing('history', 'entry')],
          refuses: [`${name}-not-found`, 'entry-not-found'],
        } as Description,
        handle: (call: Call) => readEntry(resource, call, noun, operation),
      }),
    ),
    ...(hasForm(resource, 'deal-command')
      ? [
          choosingFields(commands, {
            ...reading,
            path: `${path}/:id/commands/:command`,
            summary: `A command to the ${name}`,
            describes: readsCommand,
            handle: readCommand,
          }),
        ]
      : []),
  ]
}

function entryAddresses(resource: Resource): readonly { readonly noun: string; readonly operation?: string }[] {
  const nouns = operationsIn(resource, 'noun')
  return [{ noun: 'history' }, ...nouns.map(({ name, words }) => ({ noun: words.noun, operation: name }))]
}

export async function readThing(resource: Resource, call: Call): Promise<Answer> {
  const members = call.parameters.size === 0 ? {} : readMembers(collectionOf(resource), call)
  if ('problem' in members) return members
  if (asksForPast(call)) return withFields(await readPast(resource, call), members.fields)
  const found = await findLive(resource, call)
  if ('problem' in found) return found
  const offered = offeredTo(call, resource, found.thing)
  const document = thingDocument(resource, found.thing, call.service.addresses, offered)
  const validators = offered === 'none' ? { ...found.thing, forReader: true } : found.thing
  if (members.expand !== undefined) {
    const [json = ''] = await expandItems(members.expand, [document.json], call)
    // The related things have their own revisions, so the answer has no validators.
    return withFields({ status: 200, document: { ...document, json } }, members.fields)
  }
  if (members.fields !== undefined) return withFields({ status: 200, document, validators }, members.fields)
  return { status: 200, document, shown: { screen: 'thing', resource, thing: found.thing }, validators }
}

async function readEntry(resource: Resource, call: Call, noun: string, operation: string | undefined): Promise<Answer> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  const { addresses } = call.service
  const n = call.params.n ?? ''
  const event = /^[1-9]\d{0,14}$/.test(n) ? await call.desk.event(resource, found.thing.id, Number(n)) : undefined
  if (event === undefined || (operation !== undefined && event.operation !== operation)) {
    const facts = { resource: resource.name, number: n, noun }
    const detail = { text: 'The {resource} has no entry {number} under {noun}.', with: facts }
    return { problem: { code: 'entry-not-found', detail } }
  }
  const validators = { revision: event.revision, updatedAt: event.at }
  const document = entryDocument(resource, event, found.thing.id, noun, addresses)
  return { status: 200, document, shown: { screen: 'entry', resource, event, thing: found.thing }, validators }
}

async function readCommand(call: Call): Promise<Answer> {
  const { desk } = call
  // The suffix may be part of an old command's id, from before a format had that name.
  const whole = call.suffix === '' ? undefined : await desk.command(`${call.params.command}${call.suffix}`)
  const id = whole?.id ?? call.params.command ?? ''
  const command = whole ?? (await desk.command(id))
  const ofThing = call.params.id
  if (command === undefined || (ofThing !== undefined && !isSameId(String(command.subject), ofThing))) {
    return { problem: { code: 'command-not-found', detail: noSuch('command', id) } }
  }
  const forReader = mayOnlyRead(call)
  const document = commandDocument(command, call.service.addresses, call.schema, forReader)
  const validators = { ...commandState(command), forReader: forReader && command.refusal !== null }
  return { status: 200, document, shown: { screen: 'command', command }, validators }
}
