import type { Upload } from '../../../model/imports/upload.ts'
import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { ManagedResource, Schema } from '../../../model/schema.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Headers } from '../../contract/answer.ts'
import { type Call, type Endpoint, FILE_TYPES, JSON_OR_FORM, MULTIPART } from '../../contract/endpoint.ts'
import type { Shown } from '../../contract/shown.ts'
import { accepted, created } from '../../contract/success.ts'
import { managedEndpoints } from '../managed-endpoints.ts'

const receiving = lazily(() => import('./receive-import.ts'))
const running = lazily(() => import('./run-imports.ts'))
const changing = lazily(() => import('./change-import.ts'))

const group = 'Imports'
const editor = { role: 'editor', offers: 'resource' } as const

/** Files that are imported: uploaded, checked in the background, imported and, if wanted, undone. decisions/0051 */
export const importEndpoints = (schema: Schema): readonly Endpoint[] => {
  const declared = managedNamed(schema, 'import')
  // A file is received as it arrives, so its creation is not read as other writes are.
  const operations = declared.operations.filter(({ name }) => name !== 'create')
  return [
    {
      ...editor,
      method: 'POST',
      path: declared.path,
      summary: 'Upload a file to import',
      reads: [MULTIPART, ...FILE_TYPES],
      parameters: ['on', 'name', 'create', 'bad-cells'],
      describes: {
        group,
        about:
          'The file is the body, or a part of a form: CSV, XLSX or NDJSON of at most 50 MB. It is checked in the background: read the import until `isRunning` is false. `create=missing` makes the customers that rows name and nobody has, `bad-cells=empty` leaves optional cells empty that cannot be read.',
        answers: [{ ...created(declared.plural, declared.name), headers: ['Location', 'Content-Location'] }],
        refuses: ['invalid-body', 'invalid-parameter', 'malformed-body', 'body-too-large'],
      },
      handle: async (call) => (await receiving()).receiveImport(call),
    },
    ...managedEndpoints({ ...declared, operations } as ManagedResource, {
      list: { screen: 'imports' },
      about:
        'After a check `columns` says which field each column is and how it is read, `faults` what is wrong in which rows. In the stage `asking` the questions in `asked` are answered with PATCH; `ready` can be imported.',
      shown: SHOWN,
      headers: { names: ['Refresh'], of: followed },
      writes: {
        remove: {
          about: 'Forgets the file and what was found in it. What it imported stays.',
          refuses: ['import-not-found', 'wrong-state', 'invalid-body'],
        },
        change: {
          about:
            'Columns are named by their headings: `field` is the name of a field or null, `decimal`, `dates` and `currency` say how its cells are read. What is not sent stays, and the file is checked again.',
          refuses: ['import-not-found', 'wrong-state', 'invalid-body'],
          fields: (fields, { emptied }) => choicesIn(fields, emptied),
          prepare: async ({ facts, values }, call) => (await changing()).prepareChange(facts as Upload, values, call),
          show: async ({ thing, dryRun }, call) => (await changing()).showChanged(thing as Upload, dryRun, call),
        },
        undo: {
          about:
            'Removes what the import made and restores what it changed, all of it or nothing. It is refused if one of these things was changed since, or something new refers to it; `things` names them.',
          refused: { screen: 'import form' },
          refuses: ['import-not-found', 'wrong-state', 'changed-since', 'events-trimmed', 'invalid-body'],
          show: async ({ thing, dryRun }, call) => (await running()).showImport(thing as Upload, dryRun, call),
        },
      },
    }),
    {
      ...editor,
      method: 'POST',
      path: `${declared.path}/:id/runs`,
      summary: 'Import a file that was checked',
      reads: JSON_OR_FORM,
      describes: {
        group,
        about:
          'Writes the rows that the check found good, in the background: `inserted`, `updated`, `unchanged` and `rejected` count them meanwhile.',
        answers: [accepted(declared.plural, 'The import begins, or continues where it stopped.')],
        refuses: ['import-not-found', 'wrong-state', 'invalid-body'],
      },
      handle: async (call) => (await running()).run(call),
    },
    ...moved,
  ]
}

const SHOWN: Shown = { screen: 'import' }

/** Pages without script follow what is under way in the same way as others. */
const followed = (found: object, { representation }: Call): Headers => ({
  'cache-control': 'no-store',
  ...(representation === 'html' && (found as Partial<Upload>).isRunning && { refresh: '1' }),
})

const said = /^(field|decimal|dates|currency):(.+)$/s

/** The choices in a page's form, whose fields are named after the headings of the columns. */
function choicesIn(fields: ReadonlyMap<string, string>, emptied: ReadonlySet<string> = new Set()): object {
  const columns: Record<string, Record<string, string | null>> = Object.create(null)
  const take = (name: string, value: string | null): void => {
    const [, about = '', heading = ''] = said.exec(name) ?? []
    if (about === '' || (value === null && about !== 'field')) return
    columns[heading] = { ...columns[heading], [about]: value }
  }
  for (const [name, value] of fields) take(name, value)
  for (const name of emptied) take(name, null)
  const delimiter = fields.get('delimiter')
  return {
    columns,
    create: fields.get('create') ?? null,
    badCells: fields.get('bad-cells') ?? null,
    ...(fields.has('encoding') && { encoding: fields.get('encoding') }),
    // A tab does not survive in every form.
    ...(delimiter !== undefined && { delimiter: delimiter === 'tab' ? '\t' : delimiter }),
  }
}

/** The addresses of earlier releases. */
const moved: readonly Endpoint[] = (
  [
    ['GET', '/import'],
    ['POST', '/import'],
    ['GET', '/import/:id'],
  ] as const
).map(([method, path]) => ({
  ...editor,
  method,
  path,
  summary: 'Imports are at /imports',
  forPeople: true,
  ...(method === 'POST' && { reads: [MULTIPART, ...FILE_TYPES] }),
  handle: ({ params, service }: Call) => ({
    status: 308,
    headers: { location: params.id === undefined ? service.addresses.imports : service.addresses.import(params.id) },
  }),
}))
