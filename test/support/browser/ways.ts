import type { BrowserContextOptions } from 'playwright-core'
import { seedOf } from '../inputs/draw.ts'

type Way = readonly [name: string, options: BrowserContextOptions]

const phone: Way = ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]
const plain: Way = ['without script', { javaScriptEnabled: false }]
const wide: Way = ['with script', {}]

/** 0 to 3 draws the same ways again, `all` takes each. */
const asked = process.env.BROWSER_WAYS ?? String(seedOf('BROWSER_WAYS', 4))
if (process.env.BROWSER_WAYS === undefined) console.log(`BROWSER_WAYS=${asked}`)

let turn = Number(asked)

/**
 * The ways in which people do the same thing: a journey takes one of them, every second
 * journey without script. The script of a phone is that of a wide screen; `npm run test:long -- browser` takes all
 * three.
 */
export const ways = (): readonly Way[] => (asked === 'all' ? [phone, plain, wide] : [turn++ % 2 === 0 ? phone : plain])

/** The same where the screen does not matter: whether the browser runs scripts. */
export const scripting = (): readonly boolean[] => (asked === 'all' ? [true, false] : [turn++ % 2 === 0])

export interface Reading {
  readonly name: string
  readonly javaScriptEnabled: boolean
  readonly locale: 'en-GB' | 'de-DE'
}

const everyReading: readonly Reading[] = [true, false].flatMap((javaScriptEnabled) =>
  (['en-GB', 'de-DE'] as const).map((locale) => ({
    name: `${locale}, ${javaScriptEnabled ? 'with' : 'without'} script`,
    javaScriptEnabled,
    locale,
  })),
)

/** What everybody does, in both languages, with and without script: one of the four. */
export function readings(): readonly Reading[] {
  if (asked === 'all') return everyReading
  const drawn = turn++ % everyReading.length
  return everyReading.filter((_, at) => at === drawn)
}
