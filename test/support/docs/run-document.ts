import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
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
  // What a person would be asked for, a password, comes from here: the shell's own input is what is typed next.
  const npm = `#!/bin/sh\nshift 2\necho 'four long words together' | exec "${process.execPath}" "${join(root, 'src/start.js')}" "$@"\n`
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
  const shell = spawn('sh', [], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      DATABASE_URL: join(folder, 'dealdesk.db'),
    },
  })
  answerCurl(shell, url, folder)
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

/** A process for each curl would take longer than all that it asks for: the shell's own asks the test, which does it. */
const curlOfShell = (folder: string): string =>
  `curl() { printf '%s\\0' "$#" "$@" >&3; read -r ended <&3; cat '${join(folder, 'answered')}'; return "$ended"; }\n`

function answerCurl(shell: ReturnType<typeof spawn>, url: string, folder: string): void {
  const channel = shell.stdio[3] as Duplex
  let heard = ''
  channel.setEncoding('utf8').on('data', async (chunk: string) => {
    heard += chunk
    const [count = '', ...args] = heard.split('\0')
    // Behind the last one is the empty text after its end.
    if (args.length <= Number(count)) return
    heard = ''
    const said = await curl({ args: args.slice(0, -1), url, folder }).catch((cause: Error) => cause)
    writeFileSync(join(folder, 'answered'), said instanceof Error ? `curl: ${said.message}\n` : said)
    channel.write(said instanceof Error ? '1\n' : '0\n')
  })
  shell.stdin?.write(curlOfShell(folder))
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
