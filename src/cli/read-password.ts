import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { BadSetting } from '../config.ts'
import type { Terminal } from './terminal.ts'

/** Asks twice on a terminal, without echo; otherwise reads the first line of the input. */
export async function readPassword({ input, notes }: Pick<Terminal, 'input' | 'notes'>): Promise<string> {
  if (input.isTTY !== true) return (await text(input)).split(/\r?\n/, 1)[0] ?? ''
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reading = createInterface({ input, output: nowhere, terminal: true })
  const ask = async (prompt: string): Promise<string> => {
    notes.write(prompt)
    const line = await reading.question('')
    notes.write('\n')
    return line
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('Once more: ')) !== password) throw new BadSetting('the two passwords differ')
    return password
  } finally {
    reading.close()
  }
}
