import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { copyReady } from '../database/ready-schema.ts'
import { runHosted } from '../service/hosted-command.ts'
import { type Block, blocksOf, reasons, stepsOf } from './blocks.ts'
import { differs, type Names, withNames } from './compare.ts'
import { curl } from './curl.ts'

const root = join(import.meta.dirname, '../../..')

/** Does what a reader of the document would do, and answers with everything that is not as it says. */
export async function runDocument(markdown: string, url: string): Promise<readonly string[]> {
  const blocks = blocksOf(markdown)
  const wrong = blocks.flatMap(({ notRun, line }) =>
    notRun === undefined || reasons.has(notRun) ? [] : [`line ${line}: not run, and "${notRun}" is no known reason`],
  )
  const runs = blocks.filter(({ notRun }) => notRun === undefined)
  const unknown = runs.filter(({ language }) => !['console', 'ts', 'text'].includes(language))
  wrong.push(...unknown.map(({ language, line }) => `line ${line}: ${language} is not run by anything`))
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-docs-'))
  try {
    const names: Names = new Map()
    wrong.push(...(await runConsole(runs, url, folder, names)))
    wrong.push(...(await runPrograms(runs, url, names)))
  } finally {
    rmSync(folder, { recursive: true })
  }
  return wrong
}

/** One shell for the whole document, with a curl and an `npm start --` of the test's own, so that a variable that was set stays. */
async function runConsole(
  blocks: readonly Block[],
  url: string,
  folder: string,
  names: Names,
): Promise<readonly string[]> {
  const consoles = blocks.filter(({ language }) => language === 'console')
  if (consoles.length === 0) return []
  const env = { ...process.env, DATABASE_URL: join(folder, 'dealdesk.db') }
  copyReady(env.DATABASE_URL)
  const shell = spawn('sh', [], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], env })
  answer(shell, folder, {
    curl: async (args) => ({ code: 0, stderr: '', stdout: await curl({ args, url, folder }) }),
    dealdesk: (args) => runHosted({ args, environment: env, folder }),
  })
  const wrong: string[] = []
  for (const { line, text } of consoles) {
    for (const { command, shown } of stepsOf(text)) {
      const { output, status } = await type(shell, withNames(command, names))
      const fault =
        status !== 0 ? `ended with ${status}: ${output}` : shown === '' ? undefined : differs(shown, output, names)
      if (fault !== undefined) wrong.push(`line ${line}: ${command}\n${fault}`)
    }
  }
  shell.stdin.end()
  await once(shell, 'exit')
  return wrong
}

/**
 * A process for each curl and command would take longer than all that it asks for: the shell's own asks the test, which
 * does it. What a person would be asked for, a password, goes to a process of its own.
 */
const ofShell = (folder: string): string => `
asked() { printf '%s\\0' "$#" "$@" >&3; read -r ended <&3; cat '${folder}/said'; cat '${folder}/noted' >&2; return "$ended"; }
curl() { asked curl "$@"; }
npm() {
  shift 2
  case "$1 $2" in
    'user add') echo 'four long words together' | "${process.execPath}" "${join(root, 'src/start.js')}" "$@" ;;
    *) asked dealdesk "$@" ;;
  esac
}
`

type Does = (args: readonly string[]) => Promise<{ code: number; stdout: string | Buffer; stderr: string }>

function answer(shell: ReturnType<typeof spawn>, folder: string, programs: { readonly [name: string]: Does }): void {
  const channel = shell.stdio[3] as Duplex
  let heard = ''
  channel.setEncoding('utf8').on('data', async (chunk: string) => {
    heard += chunk
    const [count = '', ...words] = heard.split('\0')
    // Behind the last one is the empty text after its end.
    if (words.length <= Number(count)) return
    heard = ''
    const [program = '', ...args] = words.slice(0, -1)
    const failed = (cause: Error) => ({ code: 1, stdout: '', stderr: `${program}: ${cause.message}\n` })
    const { code, stdout, stderr } = (await programs[program]?.(args).catch(failed)) ?? failed(new Error('not here'))
    writeFileSync(join(folder, 'said'), stdout)
    writeFileSync(join(folder, 'noted'), stderr)
    channel.write(`${code}\n`)
  })
  shell.stdin?.write(ofShell(folder))
}

const END = '\u0001end'

function type(shell: ReturnType<typeof spawn>, command: string): Promise<{ output: string; status: number }> {
  const { stdin, stdout, stderr } = shell
  if (stdin === null || stdout === null || stderr === null) throw new Error('the shell has no pipes')
  return new Promise((resolve) => {
    let output = ''
    const hear = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      const [, before = '', status = ''] = new RegExp(`^([\\s\\S]*)\n?${END} (\\d+)\n`).exec(output) ?? []
      if (status === '') return
      stdout.off('data', hear)
      stderr.off('data', hear)
      resolve({ output: before, status: Number(status) })
    }
    stdout.on('data', hear)
    stderr.on('data', hear)
    stdin.write(`${command}\nprintf '\\n\\001end %d\\n' $?\n`)
  })
}

/** Each block of TypeScript is a program of its own, as a reader would save it; what it prints is shown in the text under it. */
async function runPrograms(blocks: readonly Block[], url: string, names: Names): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [at, { language, text, line }] of blocks.entries()) {
    if (language !== 'ts') continue
    const here = withNames(text.replaceAll('http://localhost:8080', url), names)
    const args = ['--input-type=module-typescript', '--eval', here]
    const ran = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
      (cause: { readonly stderr: string }) => cause,
    )
    const shown = blocks[at + 1]?.language === 'text' ? blocks[at + 1]?.text : undefined
    const fault =
      'stdout' in ran && !(ran instanceof Error)
        ? shown && differs(shown, ran.stdout, names)
        : `did not run to its end: ${ran.stderr}`
    if (fault) wrong.push(`line ${line}: ${fault}`)
  }
  return wrong
}
