import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { readSettings } from '../../src/config.ts'
import { startService } from '../../src/service/start-service.ts'

// CAP imports the model of /odata, and a CAP program reads, changes and calls actions by it. Its packages live here,
// outside of what every `npm ci` of the service brings.
const here = fileURLToPath(new URL('.', import.meta.url))
const out = `${here}node_modules/.cache/dealdesk`
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const settings = readSettings({ PORT: '0', DATABASE_URL: `${out}/dealdesk.db` })
const service = await startService(settings, pino({ level: 'error' }), (cause) => {
  throw cause
})
const model = await fetch(`${service.url}/odata/$metadata`)
writeFileSync(`${out}/Dealdesk.edmx`, await model.text())
writeFileSync(`${out}/package.json`, '{ "private": true }')
await run(
  `${here}node_modules/@sap/cds-dk/bin/cds.js`,
  'import',
  'Dealdesk.edmx',
  '--as',
  'csn',
  '--force',
  '--no-save',
)
await run(`${here}consume.js`, `${service.url}/odata`, `${out}/srv/external/Dealdesk.csn`)
await service.close()

async function run(...args: readonly string[]): Promise<void> {
  const [status] = await once(spawn(process.execPath, args, { cwd: out, stdio: 'inherit' }), 'exit')
  if (status !== 0) process.exit(1)
}
