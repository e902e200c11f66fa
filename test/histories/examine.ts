import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import readWorkbook from 'read-excel-file/node'
import { readSettings } from '../../src/config.ts'
import { examineDatabase } from '../../src/store/open.ts'
import { assertPeriods } from '../support/database/kept-periods.ts'
import { assertTotals } from '../support/database/kept-totals.ts'
import { assertLinked } from '../support/database/linked-events.ts'
import { Difference } from './difference.ts'
import { type Names, timeless } from './names.ts'
import type { Story } from './story.ts'

/** What takes longer than a step: the description of all, and the databases. */
export async function examine(story: Story): Promise<void> {
  await asDescribed(story)
  await sameSheets(story)
  await sameOthers(story)
  for (const { database, store } of story.sides) {
    const { findings } = await examineDatabase(readSettings({ DATABASE_URL: database.url }), { isThorough: true })
    const faults = findings.filter(({ state }) => state === 'fault')
    if (faults.length > 0) throw new Difference(`the doctor of ${store} finds ${JSON.stringify(faults)}`)
    await assertTotals(database)
    await assertPeriods(database)
    assertLinked(database)
  }
}

/** Every list is as the service describes it. */
async function asDescribed(story: Story): Promise<void> {
  const { status, text } = await story.ask({ method: 'GET', path: '/openapi.json' })
  if (status !== 200) throw new Difference(`/openapi.json is ${status}`)
  const described = JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"doc#/')) as Described
  const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false }, inlineRefs: false })
  formats.default(ajv)
  ajv.addSchema(described, 'doc')
  for (const { name, path } of story.schema.resources) {
    const { $ref, content } = described.paths[path]?.get?.responses?.['200'] ?? {}
    const named = described.components.responses[$ref?.split('/').at(-1) ?? '']
    const validate = ajv.compile((content ?? named?.content)?.['application/json']?.schema ?? { not: {} })
    for (const { text: shown } of await story.eachAsk({ method: 'GET', path: `${path}?maxpagesize=1000` })) {
      if (validate(JSON.parse(shown))) continue
      throw new Difference(`a ${name} is not as described: ${JSON.stringify(validate.errors)}`, shown, shown)
    }
  }
}

/** A workbook has the instant of its making: its cells are compared. */
async function sameSheets(story: Story): Promise<void> {
  for (const { path } of story.schema.resources) {
    const answers = await story.eachAsk({ method: 'GET', path: `${path}.xlsx` })
    const cells = answers.map(async ({ text }) => JSON.stringify(await readWorkbook(Buffer.from(text, 'latin1'))))
    const [one, other] = (await Promise.all(cells)).map((each, at) => timeless((story.names[at] as Names).named(each)))
    if (one !== other) throw new Difference(`${path}.xlsx has other cells`, one, other)
  }
}

/** What only some lists are shown as. */
async function sameOthers(story: Story): Promise<void> {
  const deal = story.known.of('deal').findLast(({ latest }) => latest !== undefined)
  const history = deal === undefined ? [] : [`${deal.path}/${deal.name}/history.atom`]
  for (const path of ['/rest/v1/tasks.ics', '/rest/v1/deals.ics', '/commands', ...history])
    await story.ask({ method: 'GET', path })
}

/** The parts of the description in which the lists are. */
interface Described {
  readonly paths: {
    readonly [path: string]: { readonly get?: { readonly responses?: { readonly [status: string]: Answering } } }
  }
  readonly components: { readonly responses: { readonly [name: string]: Answering } }
}

interface Answering {
  readonly $ref?: string
  readonly content?: { readonly [type: string]: { readonly schema: object } }
}
