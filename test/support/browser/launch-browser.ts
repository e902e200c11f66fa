import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const packed = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { readonly version: string }
const cache = join(import.meta.dirname, '../../../node_modules/.cache/dealdesk-browser')
const home = join(cache, version)

/** A browser and how to be done with it. */
export interface UsedBrowser {
  readonly browser: Browser
  close(): Promise<void>
}

let shared: Promise<Browser> | undefined
let users = 0

/** The browser of the process: files that run together share it, and the last one closes it. */
export async function useBrowser(): Promise<UsedBrowser> {
  users++
  shared ??= launchBrowser()
  const browser = await shared
  return {
    browser,
    async close() {
      if (--users > 0) return
      shared = undefined
      await browser.close()
    },
  }
}

/** A real browser, from packages alone: it needs no screen, no rights and no libraries of the machine. */
async function launchBrowser(): Promise<Browser> {
  if (!existsSync(home)) await unpack()
  try {
    return await launch({})
  } catch {
    // A machine without the libraries of a desktop: the package brings them.
    return launch({ LD_LIBRARY_PATH: join(home, 'al2023/lib') })
  }
}

function launch(environment: { readonly [name: string]: string }): Promise<Browser> {
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    // As root there is no sandbox, and a container has little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...definedEnvironment(), FONTCONFIG_FILE: join(home, 'fonts.conf'), ...environment },
  })
}

const definedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** The package's own looks for them in the temporary folder; without any, pages have no text. */
const fonts = `<?xml version="1.0"?>
<fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>
`

const INFLATE = `import { inflate } from '@sparticuz/chromium'; await Promise.all(JSON.parse(process.argv[1]).map((file) => inflate(file)))`

/** Beside the packages, not in the machine's temporary folder; whole or not at all, as tests run side by side. */
async function unpack(): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'unpacking-'))
  const files = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
  // The package unpacks to the temporary folder, which is not changed here: others use it meanwhile.
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', INFLATE, JSON.stringify(files.map((file) => join(packed, 'bin', file)))],
    { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } },
  )
  writeFileSync(join(folder, 'fonts.conf'), fonts)
  try {
    renameSync(folder, home)
  } catch (cause) {
    if (!existsSync(home)) throw cause
    rmSync(folder, { recursive: true })
  }
}
