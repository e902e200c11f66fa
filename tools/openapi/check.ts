import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { doors } from '../../src/doors/doors.ts'
import { addressesAt } from '../../src/http/contract/addresses.ts'
import { openApiDocument } from '../../src/http/describe/openapi/document.ts'
import type { Schema, SchemaSource } from '../../src/model/declaration/schema.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import type { AddedField } from '../../src/model/source/added-field.ts'
import { addedKinds } from '../../src/model/source/added-kinds.ts'
import { SALES } from '../../src/model/source/pipeline-source.ts'
import { endpointsOf } from '../../src/service/endpoints.ts'

// Lints /openapi.json and makes clients of it, as it is at first and with all that admins add to the model. The tools
// live here, outside of what every `npm ci` of the service brings.
const here = fileURLToPath(new URL('.', import.meta.url))
const cache = `${here}node_modules/.cache/dealdesk`
rmSync(cache, { recursive: true, force: true })
check('plain', buildSchema())
check('added', buildSchema(everythingAdded()))
console.log('All generated clients compile.')

function check(name: string, schema: Schema): void {
  const out = `${cache}/${name}`
  mkdirSync(out, { recursive: true })
  const document = openApiDocument(schema, endpointsOf(schema), { version: '0.0.0', addresses: addressesAt(''), doors })
  writeFileSync(`${out}/openapi.json`, JSON.stringify(document))
  run('spectral', 'lint', `${out}/openapi.json`, '--ruleset', `${here}spectral.yaml`, '--fail-severity', 'hint')
  run('redocly', 'lint', `${out}/openapi.json`, '--config', `${here}redocly.yaml`, '--max-problems', '20')
  run('openapi-typescript', `${out}/openapi.json`, '--output', `${out}/types.ts`)
  run('openapi-ts', '--input', `${out}/openapi.json`, '--output', `${out}/client`, '--silent')
  writeFileSync(`${out}/use.ts`, use())
  const options = ['--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--target', 'es2024']
  run('tsc', '--noEmit', ...options, '--module', 'nodenext', `${out}/use.ts`)
}

/** Fields of every kind, required and not, unique and retired ones, and pipelines with gates and closing stages. */
function everythingAdded(): SchemaSource {
  const fields = ['deal', 'customer', 'task'].flatMap((on) =>
    addedKinds
      .filter((kind) => kind !== 'amount' || on === 'deal')
      .flatMap((kind): readonly AddedField[] => {
        const field = { on, name: kind, title: `The ${kind}`, kind, ...optionsOf(kind) }
        return [field, { ...field, name: `${kind}Too`, required: true }]
      }),
  )
  const unique: AddedField = { on: 'deal', name: 'code', title: 'Code', kind: 'text', unique: true, searched: true }
  const gone: AddedField = { ...unique, name: 'gone', required: true, retiredAt: '2026-11-15T04:05:05.173Z' }
  const [lead] = SALES.stages
  if (lead === undefined) throw new Error('there is no first stage')
  const stages = [
    { ...lead, requires: ['owner', 'own.integer', 'customer.email'] },
    { ...lead, name: 'last', closing: true },
  ]
  const rental = { ...SALES, name: 'rental', default: false, position: 1, stages }
  return { ...NOTHING_ADDED, version: 1, fields: [...fields, unique, gone], pipelines: [SALES, rental] }
}

function optionsOf(kind: AddedField['kind']): Pick<AddedField, 'options'> {
  if (kind === 'link') return { options: { to: 'task' } }
  return kind === 'choice' || kind === 'choices' ? { options: { values: [{ value: 'a', title: 'A' }] } } : {}
}

function run(tool: string, ...args: readonly string[]): void {
  console.log(`> ${tool} ${args[0]}`)
  const { status } = spawnSync(process.execPath, [`${here}node_modules/.bin/${tool}`, ...args], {
    cwd: here,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** What a program would write: it compiles only when the types say what the service does. */
function use(): string {
  return `import type { components, paths } from './types.ts'
import { holdDeal, listCustomers } from './client/index.ts'

type Hold = paths['/rest/v1/deals/{id}/hold']['put']
const body: NonNullable<Hold['requestBody']>['content']['application/json'] = { reason: 'credit check' }
// @ts-expect-error a hold needs its reason
const wrong: NonNullable<Hold['requestBody']>['content']['application/json'] = {}
const query: paths['/customers']['get']['parameters']['query'] = { 'age.gte': 18, 'children.lt': 1 }
const stage: components['schemas']['Deal']['stage'] = 'proposal'
export const results = [wrong, stage, holdDeal({ path: { id: 'x' }, body }), listCustomers({ query })]
`
}
