import { type Browser, chromium } from 'playwright-core'
import { installedBrowsers } from './installed-browsers.ts'
import { debianBrowser, fontSettings, packagedBrowser, type UnpackedBrowser } from './unpack-browser.ts'

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

/** Nobody has a browser for this machine; its message tells how to get one. */
export class NoBrowser extends Error {}

/**
 * A real browser, which needs no screen and no rights: the one that TEST_BROWSER names, or the first that starts of
 * those that are installed, the npm package's and Debian's.
 */
async function launchBrowser(): Promise<Browser> {
  const faults: unknown[] = []
  const settings = await fontSettings()
  for await (const found of candidates(faults)) {
    try {
      return await launch(found, settings)
    } catch (cause) {
      faults.push(cause)
    }
  }
  const cause = new AggregateError(faults)
  throw new NoBrowser(
    'no browser starts here: install Chromium or Chrome, or set TEST_BROWSER to the path of one (test/README.md, "Browser tests")',
    { cause },
  )
}

async function* candidates(faults: unknown[]): AsyncIterable<UnpackedBrowser> {
  const { TEST_BROWSER: named } = process.env
  for (const executable of named === undefined ? await installedBrowsers() : [named])
    yield { executable, libraries: [] }
  if (named !== undefined) return
  for (const unpacked of [packagedBrowser, debianBrowser]) {
    const found = await unpacked().catch((cause: unknown) => void faults.push(cause))
    if (found !== undefined) yield found
  }
}

/** Milliseconds: a busy machine may take its time, and the next one would be no faster. */
const LONGEST_LAUNCH = 180_000

async function launch({ executable, libraries }: UnpackedBrowser, fonts: string | undefined): Promise<Browser> {
  const start = (environment: { readonly [name: string]: string }): Promise<Browser> =>
    chromium.launch({
      executablePath: executable,
      timeout: LONGEST_LAUNCH,
      // As root there is no sandbox, and a container has little shared memory.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      env: { ...definedEnvironment(), ...(fonts !== undefined && { FONTCONFIG_FILE: fonts }), ...environment },
    })
  try {
    return await start({})
  } catch (cause) {
    if (libraries.length === 0) throw cause
    // A machine without the libraries of a desktop.
    return start({ LD_LIBRARY_PATH: libraries.join(':') })
  }
}

const definedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
