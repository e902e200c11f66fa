import type { Encoding } from '../../../imports/read/recognise.ts'
import { type UploadWriter, uploadWriter } from '../../../imports/uploads/upload.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { keptUntil } from '../../../model/nouns/imports/upload.ts'
import { orderedIds } from '../../../store/port/ordered-ids.ts'
import { fileBounds, formBounds } from '../../../values/bounds.ts'
import { reason } from '../../../values/faults/fault.ts'
import { type Call, header, MULTIPART } from '../../contract/endpoint.ts'
import { invalidBody, type Problem, wrongMember, wrongParameter } from '../../contract/problems/problem.ts'
import { StreamEnded, withPatience } from '../batches/with-patience.ts'
import { mayImport } from './addressed-import.ts'
import { unreadableFault } from './guess-matching.ts'
import { boundaryOf, type PartSink, readMultipart } from './multipart.ts'
import { writeImport } from './write-import.ts'

/** A file in the store, and what its sender said about it. */
export interface ReceivedFile {
  readonly id: string
  readonly name: string
  readonly resource: Resource
  readonly size: number
  readonly encoding: Encoding
  readonly create: 'missing' | undefined
  readonly badCells: 'empty' | undefined
}

type RefusedUpload = { readonly problem: Problem }

const newId = orderedIds()

/** Stores a file as it arrives: the body, or a part of a form, which may also have pasted rows. */
export async function receiveFile(call: Call): Promise<ReceivedFile | RefusedUpload> {
  const { incoming, service, parameters } = call
  const wrong = parameterFault(call)
  if (wrong !== undefined) return wrong
  if (incoming === undefined) return { problem: invalidBody([unreadableFault('empty')]) }
  if (Number(header(call, 'content-length')) > formBounds.bytes) return tooLarge
  const type = header(call, 'content-type') ?? ''
  const isForm = type.toLowerCase().startsWith(MULTIPART)
  const boundary = isForm ? boundaryOf(type) : undefined
  if (isForm && boundary === undefined) return malformed('The form has no boundary.')
  const file = new IncomingFile(call)
  try {
    const bytes = upTo(
      boundary === undefined ? fileBounds.bytes : formBounds.bytes,
      withPatience(incoming, service.state),
    )
    const fault =
      boundary === undefined
        ? await file.takeAll(bytes, parameters.get('name') ?? '')
        : await readMultipart(bytes, boundary, (head) => file.partOf(head.name, head.file))
    const received = fault === undefined ? await file.end() : malformed(fault)
    if ('problem' in received) await file.discard()
    return received
  } catch (cause) {
    await file.discard()
    if (cause instanceof StreamEnded) return { problem: cause.problem }
    throw cause
  }
}

/** One whose length was not announced is read no further than it may be. */
async function* upTo(most: number, incoming: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const bytes of incoming) {
    length += bytes.length
    if (length > most) throw new StreamEnded(tooLarge.problem)
    yield bytes
  }
}

const malformed = (detail: string): RefusedUpload => ({ problem: { code: 'malformed-body', detail } })

const tooLarge: RefusedUpload = {
  problem: {
    code: 'body-too-large',
    detail: 'The file has more than 50 MB; larger ones are imported on the command line.',
  },
}

const options = { on: undefined, create: 'missing', 'bad-cells': 'empty' } as const

function parameterFault(call: Call): RefusedUpload | undefined {
  for (const name of ['create', 'bad-cells'] as const) {
    const value = call.parameters.get(name)
    if (value === undefined || value === options[name]) continue
    return { problem: wrongParameter(name, reason('not-one-of', { values: [options[name]] })) }
  }
  const on = call.parameters.get('on')
  if (on === undefined || resourceIn(call, on) !== undefined) return undefined
  return { problem: wrongParameter('on', reason('not-one-of', { values: mayImport(call).map(({ name }) => name) })) }
}

/** By its name, or by its plural, as forms of earlier releases say. */
const resourceIn = (call: Call, word: string): Resource | undefined =>
  mayImport(call).find(({ name, plural }) => name === word || plural === word)

/** A file on its way into the store, and the fields of its form. */
class IncomingFile {
  readonly #call: Call
  readonly #said = new Map<string, string>()
  #upload:
    | { readonly id: string; readonly name: string; readonly resource: Resource; readonly writer: UploadWriter }
    | undefined
  #isTooLarge = false
  #isEarly = false
  #isRepeated = false

  constructor(call: Call) {
    this.#call = call
    for (const [name, value] of call.parameters) this.#said.set(name, value)
  }

  async takeAll(bytes: AsyncIterable<Buffer>, name: string): Promise<undefined> {
    const take = this.#keep(shortName(name))
    for await (const some of bytes) await take(some)
  }

  partOf(name: string, file: string | undefined): PartSink {
    if (name === 'file' && file !== '') return this.#keep(shortName(file ?? ''))
    // Pasted rows count if no file was chosen.
    if (name === 'text' && this.#upload === undefined) return this.#keep('')
    const word = name === 'what' ? 'on' : name
    if (!Object.hasOwn(options, word)) return () => {}
    this.#isRepeated ||= word === 'on' && this.#said.has('on')
    this.#said.set(word, '')
    return (bytes) => {
      const before = this.#said.get(word) ?? ''
      this.#said.set(word, (before + bytes.toString('utf8')).slice(0, formBounds.word))
    }
  }

  #keep(name: string): PartSink {
    return async (bytes) => {
      const resource = resourceIn(this.#call, this.#said.get('on') ?? '')
      // A file is stored as it arrives, together with its kind.
      this.#isEarly ||= resource === undefined
      if (resource === undefined || this.#isTooLarge) return
      this.#upload ??= await this.#begin(resource, name)
      if (!(await this.#upload.writer.add(bytes))) this.#isTooLarge = true
    }
  }

  async #begin(resource: Resource, name: string) {
    const id = newId()
    const params = { resource: resource.plural, name }
    const prepared = { id, endsAt: keptUntil(Date.now()) }
    const made = await writeImport(this.#call, 'create', { params, prepared })
    if ('problem' in made) throw new Error(`an upload called ${JSON.stringify(name)} cannot be kept`)
    return { id, name, resource, writer: uploadWriter(this.#call.service.store.imports, id) }
  }

  async end(): Promise<ReceivedFile | RefusedUpload> {
    const [on = '', create, badCells] = ['on', 'create', 'bad-cells'].map((name) => this.#said.get(name))
    if (this.#isRepeated) return malformed('The form says more than once what the file holds.')
    if (resourceIn(this.#call, on) === undefined) {
      const values = mayImport(this.#call).map(({ name }) => name)
      return { problem: wrongMember('/on', reason('not-one-of', { values })) }
    }
    if (this.#isEarly) return { problem: wrongMember('/on', reason('too-late', { wants: 'before-file' })) }
    if (this.#isTooLarge) return tooLarge
    if (this.#upload === undefined) return { problem: invalidBody([unreadableFault('empty')]) }
    const { id, name, resource, writer } = this.#upload
    return {
      ...{ id, name, resource, ...(await writer.end()) },
      create: create === 'missing' ? create : undefined,
      badCells: badCells === 'empty' ? badCells : undefined,
    }
  }

  async discard(): Promise<void> {
    if (this.#upload === undefined) return
    await this.#call.service.store.imports.discard(this.#upload.id)
  }
}

/** Some browsers send the folder too. Control characters do not belong in a name. */
const shortName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replaceAll(/[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu, '')
    .slice(0, formBounds.name)
    .toWellFormed()
