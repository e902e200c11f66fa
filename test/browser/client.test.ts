import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { after, before, test } from 'node:test'
import { connect, type Form } from '../../src/client.ts'
import { formNames } from '../../src/http/forms/forms.ts'
import { LONGEST_STEP } from '../support/browser/desk.ts'
import { type UsedBrowser, useBrowser } from '../support/browser/launch-browser.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { tour } from '../support/service/client-tour.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const all = formNames.filter((name): name is Form => name !== 'resource')
/** In Node the client takes each form; a browser two of them, drawn, or `all`. */
const asked = process.env.CLIENT_FORMS ?? String(seedOf('CLIENT_FORMS', all.length))
if (process.env.CLIENT_FORMS === undefined) console.log(`CLIENT_FORMS=${asked}`)
const forms = asked === 'all' ? all : all.filter((_, at) => at % (all.length / 2) === Number(asked) % (all.length / 2))
let service: TestService
let used: UsedBrowser

before(async () => {
  ;[service, used] = await Promise.all([runService(), useBrowser()])
})
after(async () => {
  await used?.close()
  await service?.close()
})

const module = (path: string): string => stripTypeScriptTypes(readFileSync(new URL(path, import.meta.url), 'utf8'))

type Module = { readonly [name: string]: (...args: unknown[]) => unknown }

test('in a browser the client gives the same results in each form as in Node', async () => {
  await connect(service.url).customers.create({ name: 'Ana Ruiz' })
  const expected = await tour(connect(service.url), 'verb')
  const page = await used.browser.newPage()
  page.setDefaultTimeout(LONGEST_STEP)
  for (const [name, code] of [
    ['client.js', module('../../src/client.ts')],
    ['tour.js', module('../support/service/client-tour.ts')],
  ] as const) {
    await page.route(`**/${name}`, (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
  }
  await page.goto(`${service.url}/health/live.html`)
  const results = await page.evaluate(
    async ({ origin, forms }) => {
      const load = (name: string): Promise<Module> => import(`${origin}/${name}`)
      const [{ connect }, { tour }] = await Promise.all([load('client.js'), load('tour.js')])
      return Promise.all(forms.map((form) => tour?.(connect?.(origin), form)))
    },
    { origin: service.url, forms },
  )
  for (const [index, form] of forms.entries()) assert.deepEqual(results[index], expected, form)
  await page.close()
})
