import { after, test } from 'node:test'
import { NoBrowser, useBrowser } from '../support/browser/launch-browser.ts'
import { room } from '../support/rooms/room.ts'

// The files share it; each alone would start one. CI has one: there, none is a failure.
const used = await useBrowser().catch((cause: Error) => {
  if (!(cause instanceof NoBrowser) || process.env.CI === 'true') throw cause
  return cause
})
if (used instanceof NoBrowser) test('what people do in a browser', { skip: used.message })
else {
  after(used.close)
  room(import.meta.dirname)
}
