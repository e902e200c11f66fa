import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addUser } from '../../src/access/as-operator.ts'
import { languages } from '../../src/languages/language.ts'
import { fillDesk, HEAD, type Sight } from '../../test/support/browser/sights.ts'
import { basic } from '../../test/support/service/closed-service.ts'
import { runService } from '../../test/support/service/running-service.ts'

// The Nu Html Checker looks at every page and at the style sheets. It lives here, outside of what every `npm ci` of
// the service brings, and needs Java.
const here = fileURLToPath(new URL('.', import.meta.url))
const out = `${here}node_modules/.cache/dealdesk`
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const service = await runService()
const { pages, operations } = await fillDesk(service)
await addUser(service.store, { name: 'rita', role: 'reader', password: 'password of rita' })
const nobody: { readonly [header: string]: string } = {}
const callers = [HEAD, basic('mila'), basic('rita'), nobody]
/** The files, each with the page it holds. */
const written = new Map<string, string>()
const sheets = new Set<string>()
for (const language of languages.keys())
  for (const [at, caller] of callers.entries())
    for (const sight of [...pages, ...operations]) {
      const page = await textOf(sight, { ...caller, 'accept-language': language })
      if (page === '') continue
      write(page, 'html', `${sight.path} for caller ${at + 1} in ${language}`)
      for (const [, sheet = ''] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) sheets.add(sheet)
    }
for (const sheet of sheets) write(await textOf({ path: sheet.replaceAll('&amp;', '&') }, {}), 'css', sheet)
await service.close()

const faults = ['html', 'css'].flatMap(check)
for (const fault of faults) console.log(fault)
console.log(`${written.size} files, ${faults.length} faults.`)
process.exit(faults.length === 0 ? 0 : 1)

async function textOf({ path, form }: Sight, headers: { readonly [header: string]: string }): Promise<string> {
  const asking = {
    headers: { ...headers, accept: 'text/html,*/*;q=0.1' },
    ...(form && { body: new URLSearchParams(form) }),
  }
  return (await service.request(form === undefined ? 'GET' : 'POST', path, asking)).text
}

function write(content: string, suffix: string, what: string): void {
  const file = `${out}/${written.size + 1}.${suffix}`
  writeFileSync(file, content)
  written.set(file, what)
}

function check(suffix: string): readonly string[] {
  const files = [...written.keys()].filter((file) => file.endsWith(suffix))
  const args = [
    '-Xss4m',
    '-jar',
    `${here}node_modules/vnu-jar/build/dist/vnu.jar`,
    `--${suffix}`,
    '--format',
    'json',
    '--stdout',
    '--exit-zero-always',
    ...files,
  ]
  const { stdout, error } = spawnSync('java', args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (error !== undefined) throw new Error('Java is needed to run the checker', { cause: error })
  const { messages } = JSON.parse(stdout) as { readonly messages: readonly Message[] }
  return messages.map(({ url, message, extract }) => `${written.get(fileURLToPath(url))}: ${message} ${extract ?? ''}`)
}

interface Message {
  readonly url: string
  readonly message: string
  readonly extract?: string
}
