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
const home = join(cache, `${version}-${process.arch}`)

/** A Chromium that needs nothing of the machine. */
export interface UnpackedBrowser {
  readonly executable: string
  /** Folders of libraries, which a machine without a desktop lacks. */
  readonly libraries: readonly string[]
  /** Where its fonts are; without any, pages have no text. */
  readonly fontSettings: string
}

/** Where a browser comes from: what is unpacked into an empty folder, and where things are in it. */
interface BrowserSource {
  unpack(folder: string): Promise<void>
  readonly executable: string
  libraries(): readonly string[]
}

/** The package has a Chromium for one kind of machine; Debian has one for all of its own. */
const source: BrowserSource =
  process.platform === 'linux' && process.arch === 'x64'
    ? {
        unpack: (folder) => inflate(folder, ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br']),
        executable: 'chromium',
        libraries: () => ['al2023/lib'],
      }
    : {
        unpack: unpackDebian,
        executable: 'usr/lib/chromium/chromium-headless-shell',
        libraries: () =>
          readdirSync(join(home, 'usr/lib'))
            .filter((name) => name.endsWith('-linux-gnu'))
            .flatMap((name) => [join('usr/lib', name), join('usr/lib', name, 'pulseaudio')]),
      }

/** Unpacks it beside the packages if it is not there yet: whole or not at all, as tests run side by side. */
export async function unpackedBrowser(): Promise<UnpackedBrowser> {
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'unpacking-'))
    try {
      await Promise.all([source.unpack(folder), inflate(folder, ['fonts.tar.br'])])
      writeFileSync(join(folder, 'fonts.conf'), fonts)
      renameSync(folder, home)
    } catch (cause) {
      if (!existsSync(home)) throw cause
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return {
    executable: join(home, source.executable),
    libraries: source.libraries().map((folder) => join(home, folder)),
    fontSettings: join(home, 'fonts.conf'),
  }
}

/** The package's own settings look for them in the temporary folder. */
const fonts = `<?xml version="1.0"?>
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

/** With the libraries that the machine does not have; nothing is installed, so nobody needs rights for it. */
async function unpackDebian(folder: string): Promise<void> {
  const archives = join(folder, 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const download = () =>
    run('apt-get', [
      ...['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache::archives=${archives}/`],
      ...['--download-only', '--no-install-recommends', '--reinstall', '--yes', 'install', 'chromium-headless-shell'],
    ])
  try {
    await download().catch(async () => {
      // A new machine does not know yet which packages there are.
      await run('apt-get', ['update'])
      await download()
    })
  } catch (cause) {
    const machine = `${process.platform} on ${process.arch}`
    throw new Error(`no browser for ${machine}: neither the npm package nor Debian's packages gave one`, { cause })
  }
  for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
    await run('dpkg', ['--extract', join(archives, name), folder])
  rmSync(archives, { recursive: true })
}

const run = promisify(execFile)
