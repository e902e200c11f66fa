import type { Schema } from '../../../model/declaration/schema.ts'
import type { Upload } from '../../../model/nouns/imports/upload.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Headers } from '../../contract/answer.ts'
import { type Call, type Endpoint, FILE_TYPES, JSON_OR_FORM, MULTIPART } from '../../contract/endpoint.ts'
import type { Shown } from '../../contract/shown.ts'
import { accepted, created } from '../../contract/success.ts'
import { auditedEndpoints } from '../audited/audited-endpoints.ts'
import { choicesIn } from './form-choices.ts'

const receiving = lazily(() => import('./receive-import.ts'))
const running = lazily(() => import('./run-imports.ts'))
const changing = lazily(() => import('./change-import.ts'))

const group = 'Imports'
const editor = { role: 'editor', offers: 'resource' } as const

/** Files that are imported: uploaded, checked in the background, imported and, if wanted, undone. decisions/0051 */
export const importEndpoints = (schema: Schema): readonly Endpoint[] => {
  const declared = resourceNamed(schema, 'import')
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
    ...auditedEndpoints(declared, {
      // A file is received as it arrives, so its creation is not read as other writes are.
      without: ['create'],
      list: { screen: 'imports' },
      about:
        'After a check `columns` says which field each column is and how it is read, `values` what nobody knows in them, and `faults` what is wrong in which rows. `looksKnown` counts the rows that look like things that are there, if no column says which they are. In the stage `asking` the questions in `asked` are answered with PATCH, and what `values` in fields mean that a thing needs; `ready` can be imported.',
      shown: SHOWN,
      headers: { names: ['Refresh'], of: followed },
      writes: {
        remove: {
          about: 'Forgets the file and what was found in it. What it imported stays.',
          refuses: ['import-not-found', 'wrong-state', 'invalid-body'],
        },
        change: {
          about:
            'Columns are named by their headings: `field` is the name of a field or null, `decimal`, `dates` and `currency` say how its cells are read, and `unit` what its numbers are multiplied by. `values` says what values mean that nobody knows; it is kept for the next file with these headings, with `keep` for everybody. `defaults` are for new things without such a column, and for empty cells. `sheet` and `headings` say where the table is. What is not sent stays, and the file is checked again.',
          refuses: ['import-not-found', 'wrong-state', 'invalid-body'],
          fields: (fields, { emptied }) => choicesIn(fields, emptied),
          prepare: async ({ thing, params }, call) =>
            (await changing()).prepareChange(thing as unknown as Upload, params, call),
          show: async ({ thing, dryRun }, call) =>
            (await changing()).showChanged(thing as unknown as Upload, dryRun, call),
        },
        undo: {
          about:
            'Removes what the import made and restores what it changed, all of it or nothing. It is refused if one of these things was changed since, or something new refers to it; `things` names them.',
          refused: { screen: 'import form' },
          refuses: ['import-not-found', 'wrong-state', 'changed-since', 'events-trimmed', 'invalid-body'],
          show: async ({ thing, dryRun }, call) =>
            (await running()).showImport(thing as unknown as Upload, dryRun, call),
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
