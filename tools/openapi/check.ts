import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { doors } from '../../src/doors/doors.ts'
import { addressesAt } from '../../src/http/contract/addresses.ts'
import { openApiDocument } from '../../src/http/describe/openapi/document.ts'
import { buildSchema } from '../../src/model/build/build-schema.ts'
import { endpointsOf } from '../../src/service/endpoints.ts'

// Lints /openapi.json and makes clients of it. The tools live here, outside of what every `npm ci` of the service brings.
const schema = buildSchema()
const here = fileURLToPath(new URL('.', import.meta.url))
const out = `${here}node_modules/.cache/dealdesk`
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const document = openApiDocument(schema, endpointsOf(schema), { version: '0.0.0', addresses: addressesAt(''), doors })
writeFileSync(`${out}/openapi.json`, JSON.stringify(document))

run('spectral', 'lint', `${out}/openapi.json`, '--ruleset', `${here}spectral.yaml`, '--fail-severity', 'hint')
run('redocly', 'lint', `${out}/openapi.json`, '--config', `${here}redocly.yaml`, '--max-problems', '20')
run('openapi-typescript', `${out}/openapi.json`, '--output', `${out}/types.ts`)
run('openapi-ts', '--input', `${out}/openapi.json`, '--output', `${out}/client`, '--silent')
writeFileSync(`${out}/use.ts`, use())
run(
  'tsc',
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--target',
  'es2024',
  '--module',
  'nodenext',
  '--allowImportingTsExtensions',
  `${out}/use.ts`,
)
console.log('Both generated clients compile.')

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
import { putDealsByIdHold, readCustomers } from './client/index.ts'

type Hold = paths['/rest/v1/deals/{id}/hold']['put']
const body: NonNullable<Hold['requestBody']>['content']['application/json'] = { reason: 'credit check' }
// @ts-expect-error a hold needs its reason
const wrong: NonNullable<Hold['requestBody']>['content']['application/json'] = {}
const filter: components['schemas']['CustomerFilter'] = { 'age.gte': 18, 'min-children': 1 }
const stage: components['schemas']['Deal']['stage'] = 'proposal'
export const results = [wrong, stage, putDealsByIdHold({ path: { id: 'x' }, body }), readCustomers({ query: { filters: filter } })]
`
}
