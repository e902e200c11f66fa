import { type Browser, chromium } from 'playwright-core'
import { type UnpackedBrowser, unpackedBrowser } from './unpack-browser.ts'

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
  const unpacked = await unpackedBrowser()
  try {
    return await launch(unpacked, {})
  } catch {
    // A machine without the libraries of a desktop.
    return launch(unpacked, { LD_LIBRARY_PATH: unpacked.libraries.join(':') })
  }
}

function launch(
  { executable, fontSettings }: UnpackedBrowser,
  environment: { readonly [name: string]: string },
): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    // As root there is no sandbox, and a container has little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...definedEnvironment(), FONTCONFIG_FILE: fontSettings, ...environment },
  })
}

const definedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
