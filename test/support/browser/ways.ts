import type { BrowserContextOptions } from 'playwright-core'

const all: { readonly [way: string]: BrowserContextOptions } = {
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'without script': { javaScriptEnabled: false },
  'with script': {},
}

/**
 * The ways in which people do the same thing. The script of a phone is that of a wide screen, so the suite takes the
 * first two; `npm run test:long -- browser` takes all of them.
 */
export const ways = Object.entries(all).slice(0, process.env.BROWSER_WAYS === 'all' ? undefined : 2)
