import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const packed = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { readonly version: string }
const cache = join(import.meta.dirname, '../../../node_modules/.cache/dealdesk-browser')

/** A Chromium that needs nothing of the machine. */
export interface UnpackedBrowser {
  readonly executable: string
  /** Folders of libraries, which a machine without a desktop lacks. */
  readonly libraries: readonly string[]
}

/** The npm package has one for one kind of machine. */
export async function packagedBrowser(): Promise<UnpackedBrowser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const home = await unpacked(`package-${version}`, (folder) =>
    inflate(folder, ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br']),
  )
  return { executable: join(home, 'chromium'), libraries: [join(home, 'al2023/lib')] }
}

/** Debian has one for each of its machines. */
export async function debianBrowser(): Promise<UnpackedBrowser | undefined> {
  if (process.platform !== 'linux') return undefined
  const home = await unpacked(`debian-${process.arch}`, unpackDebian)
  const libraries = readdirSync(join(home, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'))
  return {
    executable: join(home, 'usr/lib/chromium/chromium-headless-shell'),
    libraries: libraries.flatMap((name) =>
      [name, join(name, 'pulseaudio')].map((folder) => join(home, 'usr/lib', folder)),
    ),
  }
}

/** Settings that name the package's fonts: on a machine without any, pages have no text. */
export async function fontSettings(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const home = await unpacked(`fonts-${version}`, async (folder) => {
    await inflate(folder, ['fonts.tar.br'])
    writeFileSync(join(folder, 'fonts.conf'), fonts(join(cache, `fonts-${version}`)))
  })
  return join(home, 'fonts.conf')
}

/** Unpacks it beside the packages if it is not there yet: whole or not at all, as tests run side by side. */
async function unpacked(name: string, unpack: (folder: string) => Promise<void>): Promise<string> {
  const home = join(cache, name)
  if (existsSync(home)) return home
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'unpacking-'))
  try {
    await unpack(folder)
    renameSync(folder, home)
  } catch (cause) {
    if (!existsSync(home)) throw cause
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return home
}

/** The package's own settings look for them in the temporary folder. */
const fonts = (home: string): string => `<?xml version="1.0"?>
<fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>
`

const INFLATE = `import { inflate } from '@sparticuz/chromium'; await Promise.all(JSON.parse(process.argv[1]).map((file) => inflate(file)))`

/** The package unpacks to the temporary folder, which is not changed here: others use it meanwhile. */
async function inflate(folder: string, files: readonly string[]): Promise<void> {
  await run(
    process.execPath,
    ['--input-type=module', '-e', INFLATE, JSON.stringify(files.map((file) => join(packed, 'bin', file)))],
    { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } },
  )
}

/**
 * With the libraries that the machine does not have; nothing is installed, so nobody needs rights for it. Both packages
 * are named: of one that the machine has, apt-get would leave the other out, and neither starts without the other.
 */
async function unpackDebian(folder: string): Promise<void> {
  const archives = join(folder, 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const download = () =>
    run('apt-get', [
      ...['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache::archives=${archives}/`],
      ...['--download-only', '--no-install-recommends', '--reinstall', '--yes', 'install'],
      ...['chromium-headless-shell', 'chromium-common'],
    ])
  await download().catch(async () => {
    // A new machine does not know yet which packages there are.
    await run('apt-get', ['update'])
    await download()
  })
  for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
    await run('dpkg', ['--extract', join(archives, name), folder])
  rmSync(archives, { recursive: true })
}

const run = promisify(execFile)
