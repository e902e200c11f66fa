import { typeFault } from '../../../http/connection/announced-body.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import { type Call, MULTIPART } from '../../../http/contract/endpoint.ts'
import { invalidBody, type Problem, refusalProblem } from '../../../http/contract/problems/problem.ts'
import { actorOf } from '../../../http/write/intent.ts'
import { isDateOrder } from '../../../imports/read/date-order.ts'
import { delimiters, type Encoding, encodings } from '../../../imports/read/recognise.ts'
import type { UnreadableBecause } from '../../../imports/read/unreadable-file.ts'
import type { Matching } from '../../../imports/uploads/matching.ts'
import { MOST_COLUMNS } from '../../../imports/uploads/preview.ts'
import { upload as declared, type Upload } from '../../../model/imports/upload.ts'
import type { Resource } from '../../../model/schema.ts'
import type { ImportWork } from '../../../store/port/import-store.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { showImport, showImports } from '../read.ts'
import type { RefusedUpload } from '../refused-upload.ts'
import { findImport, keptUntil, manageUpload, mayImport, ownerOf } from './addressed-import.ts'
import { guessMatching, receiveUpload } from './receive-upload.ts'
import { rejectedRows } from './rejected-rows.ts'

export async function overview(call: Call, refused?: RefusedUpload): Promise<Answer> {
  const { store, addresses } = call.service
  const uploads = await store.imports.of(ownerOf(call), new Date().toISOString())
  return {
    status: 200,
    document: {
      title: 'Import',
      kind: 'page',
      item: 'import',
      json: `{"items":[${uploads.map(declared.toJson)}],"links":${JSON.stringify({ self: addresses.imports })}}`,
      screen: showImports(uploads, mayImport(call), refused, addresses),
    },
  }
}

export async function upload(call: Call): Promise<Answer> {
  // `{}` counts as no body, whatever its type; here there must be a body.
  const unread = call.incoming ? undefined : typeFault(call.headers, { method: 'POST', reads: [MULTIPART] })
  if (unread !== undefined) return { problem: unread }
  const received = await receiveUpload(call)
  if ('id' in received) return seeOther(call, received.id)
  if ('problem' in received) return received
  const { refused } = received
  const problem: Problem =
    refused === 'size'
      ? {
          code: 'body-too-large',
          detail: 'The file has more than 50 MB; larger ones are imported on the command line.',
        }
      : invalidBody([uploadFault(refused, call)])
  const again = await overview(call, refused)
  const shown = 'document' in again ? again.document?.screen : undefined
  return { problem: { ...problem, ...(shown && { screen: shown }) } }
}

function uploadFault(refused: Exclude<RefusedUpload, 'size'>, call: Call): Fault {
  const values = mayImport(call).map(({ plural }) => plural)
  const what = { pointer: '/what' }
  if (refused === 'resource') return { code: 'not-one-of', with: { values }, at: what }
  if (refused === 'order') return { code: 'too-late', with: { wants: 'before-file' }, at: what }
  const at = { pointer: '/file' }
  if (refused === 'columns') return { code: 'too-many', with: { max: MOST_COLUMNS, wants: 'columns' }, at }
  if (typeof refused === 'string') return { code: 'unreadable', with: { wants: wanted[refused] }, at }
  return { code: 'unreadable', with: { wants: 'header', why: refused.header }, at }
}

/** The right file for each fault. */
const wanted: Readonly<Record<UnreadableBecause, string>> = {
  empty: 'rows',
  'long line': 'short-lines',
  compressed: 'uncompressed',
  spreadsheet: 'csv',
  'utf-16': 'utf-8',
  'no text': 'text',
  json: 'no-json',
  array: 'ndjson',
}

export async function read(call: Call): Promise<Answer> {
  const found = await findImport(call)
  return 'problem' in found ? found : shown(found.upload, found.resource, call)
}

async function shown(found: Upload, resource: Resource, call: Call): Promise<Answer> {
  const { store, addresses } = call.service
  return {
    status: 200,
    // Pages without script follow the progress in the same way.
    headers: { 'cache-control': 'no-store', ...(found.isRunning && { refresh: '1' }) },
    document: {
      title: 'Import',
      kind: 'resource',
      item: 'import',
      json: declared.toJson(found),
      ...(call.representation === 'html' && { screen: await showImport(found, resource, store, addresses) }),
    },
  }
}

const seeOther = ({ service }: Call, id: string): Answer => ({
  status: 303,
  headers: { location: service.addresses.import(id) },
})

/** Stores the matching of the columns; if the file or its columns are read differently, they are guessed again. */
export async function match(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const { upload, resource } = found
  const before = matchingOf(upload)
  if (before === undefined) return seeOther(call, upload.id)
  const fields = call.fields ?? new Map<string, string>()
  const encoding = encodings.find((each) => each === fields.get('encoding')) ?? before.encoding
  const delimiter = delimiters.find((each) => each === delimiterIn(fields)) ?? before.delimiter
  const isReadAnew = encoding !== before.encoding || delimiter !== before.delimiter
  const matching = isReadAnew ? await readAnew(call, upload.id, encoding, delimiter, resource) : chosen(before, fields)
  if ('refused' in matching) {
    return { problem: invalidBody([uploadFault(matching.refused, call)]) }
  }
  const prepared = { matching: JSON.stringify(matching), size: upload.size, endsAt: keptUntil() }
  const { kind } = await manageUpload(call, 'match', { target: { id: upload.id }, prepared })
  if (kind === 'applied' && !isReadAnew && fields.get('after') === 'check')
    await start({ ...upload, upto: 0 }, matching, 'checking', resource, call)
  return seeOther(call, upload.id)
}

const readAnew = (call: Call, id: string, encoding: Encoding, delimiter: string, resource: Resource) =>
  guessMatching(call, id, encoding, resource, delimiter)

/** A tab does not survive in every form. */
const delimiterIn = (fields: ReadonlyMap<string, string>): string | undefined =>
  fields.get('delimiter') === 'tab' ? '\t' : fields.get('delimiter')

/** No field is assigned to two columns: the first one has it. */
function chosen(before: Matching, fields: ReadonlyMap<string, string>): Matching {
  const columns: (string | null)[] = []
  for (const at of before.header.keys()) {
    const field = fields.get(`column-${at + 1}`) ?? null
    columns.push(columns.includes(field) ? null : field)
  }
  const dates = fields.get('dates')
  return { ...before, columns, ...(isDateOrder(dates) && { dates }) }
}

const matchingOf = ({ matching }: Upload): Matching | undefined =>
  matching === null ? undefined : (JSON.parse(matching) as Matching)

export async function run(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const { upload, resource } = found
  const matching = matchingOf(upload)
  const work = upload.stage === 'checking' ? 'checking' : 'importing'
  if (matching !== undefined) await start(upload, matching, work, resource, call)
  return seeOther(call, upload.id)
}

function start(upload: Upload, matching: Matching, work: ImportWork, resource: Resource, call: Call): Promise<boolean> {
  const { service } = call
  const { store, state, log, imports } = service
  return imports.start(upload, matching, {
    store,
    resource,
    work,
    ...actorOf(call),
    isStopping: () => state.stopping,
    endsAt: keptUntil(),
    onFault: (err) => log.warn({ err }, 'an import has stopped'),
  })
}

export async function remove(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const outcome = await manageUpload(call, 'remove', { target: { id: found.upload.id } })
  // A missing upload was removed by somebody else meanwhile.
  if (outcome.kind === 'refused' && outcome.refusal.code !== 'missing') {
    return { problem: refusalProblem(outcome.refusal) }
  }
  return { status: 303, headers: { location: call.service.addresses.imports } }
}

export async function readRejected(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const { upload } = found
  const matching = matchingOf(upload)
  if (matching === undefined) return { problem: { code: 'not-found', detail: 'No rows were rejected.' } }
  const name = `${upload.name.replace(/\.\w+$/, '') || upload.resource}-rejected.csv`
  return {
    lines: rejectedRows(upload, matching, call),
    contentType: 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'no-store',
    },
  }
}
