/** A code block of a document, and where it stands. */
export interface Block {
  readonly language: string
  readonly line: number
  readonly text: string
  /** Why it is not run, where it is not. */
  readonly notRun?: string
}

/** Reasons not to run a block. Whatever else is shown, is run. */
export const reasons: ReadonlySet<string> = new Set([
  'it installs and starts the service, as the test of the package does',
  'it is the test itself',
  'it asks for a password, as the test of the command does',
  'it needs Docker',
  'it needs systemd',
  'it writes a file, as the workflow of releases does',
])

export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\S+)\s*$/.exec(lines[at] ?? '')?.[1]
    if (language === undefined) continue
    const end = lines.indexOf('```', at + 1)
    if (end === -1) throw new Error(`the block of line ${at + 1} has no end`)
    const notRun = /^<!-- not run: (.*) -->$/.exec(lines[at - 1] ?? '')?.[1]
    blocks.push({
      language,
      line: at + 1,
      text: lines.slice(at + 1, end).join('\n'),
      ...(notRun !== undefined && { notRun }),
    })
    at = end
  }
  return blocks
}

export interface Step {
  readonly command: string
  /** Nothing where the document shows none. */
  readonly shown: string
}

/** What a reader types after each `$`, lines that go on with `\` or `>` included, and what is shown under it. */
export function stepsOf(text: string): readonly Step[] {
  const steps: { command: string; shown: string }[] = []
  let goesOn = false
  for (const line of text.split('\n')) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: '' })
    else if (last === undefined) throw new Error(`nothing was typed before ${line}`)
    else if (goesOn) last.command += `\n${line}`
    else last.shown += `${line}\n`
    goesOn = (line.startsWith('$ ') || goesOn) && line.endsWith('\\')
  }
  return steps
}
