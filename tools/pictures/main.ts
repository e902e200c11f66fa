import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { useBrowser } from '../../test/support/browser/launch-browser.ts'
import { documentPictures } from './document-pictures.ts'
import { everyPage } from './every-page.ts'
import { startDemo } from './start-demo.ts'

// `npm run pictures`: the pictures of the README, of the sample data as a browser shows it.
// `npm run pictures -- FOLDER [NAME …]`: of the pages that matter most, wide and on a phone, light and dark.

const [folder, ...names] = process.argv.slice(2)
const demo = await startDemo()
const { browser, close } = await useBrowser()
try {
  if (folder === undefined) await documentPictures(demo.url, browser, join(import.meta.dirname, '../../docs/images'))
  else {
    mkdirSync(folder, { recursive: true })
    await everyPage(demo.url, browser, folder, names)
  }
} finally {
  await close()
  await demo.stop()
}
