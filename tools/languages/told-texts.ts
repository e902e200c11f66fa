import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RETOLD } from '../../src/languages/retold.ts'

const src = join(import.meta.dirname, '../../src')

/** Where people's forms and filters are checked: what programs alone can do wrong stays English. */
const places = [
  'values/kinds/*.ts',
  'values/members.ts',
  'values/nearest.ts',
  'model/**/*.ts',
  'queries/{parse-query,settings,sort,like-pattern,cursor}.ts',
  'queries/dialects/{search,suffix,equality}.ts',
  'queries/members/{caller,saved-query}.ts',
  'views/page-forms/refused-form.ts',
  'imports/{read/row-reader,rows/perform-row,rows/row-reference}.ts',
  'http/resources/things/{action-reads,ask-with-new,past-reads,thing-reads}.ts',
  'http/resources/collections/{board-endpoint,collection-endpoint,read-whole}.ts',
  'http/resources/{report-endpoints,imports/addressed-import,webhooks/delivery-endpoints,webhooks/webhook-endpoints}.ts',
  'http/resources/users/{session,key,calendar}-endpoints.ts',
  'http/resources/users/prove-oneself.ts',
  'http/respond/problems/{problem,not-found,not-available}.ts',
]

const literal = String.raw`'((?:[^'\\\n]|\\.)*)'`
const template = String.raw`\u0060((?:[^\u0060$\\]|\\.|\$\{(?:[^{}\u0060]|\u0060[^\u0060]*\u0060)*\}|\$)*)\u0060`
const written = new RegExp(
  String.raw`(?:fault\(\s*|(?:detail|title|plainly): |=>\s+|return |\? |(?<!summary|when|description): |= |(?:text|choice|ofIntl)\([^\n]*?\s*)(?:${literal}|${template})`,
  'g',
)

/** How a fault, a reason or a detail begins. What has code in it is the reference's. */
const begins =
  /^(?:at \$\{moment|(?:must|is|has|needs|names|cannot|lies|goes|would|says|exceeds|, did you mean|the ISO|the (?:deal|task) |The|There is no|There is nothing|You are|This|Command|Something in the form|it was changed|Nothing|belongs to|does not go|in revision|What the|see beside|\$\{[^}]*\}(?: \$\{[^}]*\})? is)\b.* )/s

/** The texts that the service makes in English where people meet them; what is filled in becomes a numbered place. */
export const toldTexts = (): readonly string[] =>
  globSync(places, { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(written)].flatMap(([, plain, filled]) => {
      const text = plain ?? filled ?? ''
      if (!begins.test(text) || text.includes('`')) return []
      let count = 0
      return [text.replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, () => `{${++count}}`).replaceAll("\\'", "'") + RETOLD]
    }),
  )
