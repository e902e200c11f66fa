import type { Call } from '../http/contract/endpoint.ts'
import type { Shown } from '../http/contract/shown.ts'
import type { Document } from '../representations/document.ts'
import { takeTurns } from '../store/port/take-turns.ts'
import { lazily } from '../values/lazily.ts'
import { lists } from './lists.ts'

/** The view of a document for people: a screen, or the forms below a plain table. */
type Seen = Pick<Document, 'screen' | 'forms'>

type Show<S extends Shown['screen']> = (
  shown: Extract<Shown, { readonly screen: S }>,
  call: Call,
  document: Document,
) => Promise<Seen['screen'] | Seen>

// Each is loaded at its first use.
const audited = lazily(() => import('./audited/read.ts'))
const commands = lazily(() => import('./commands/read.ts'))
const deliveries = lazily(() => import('./deliveries/read.ts'))
const histories = lazily(() => import('./history/read.ts'))
const imports = lazily(() => import('./import/read.ts'))
const operationForms = lazily(() => import('./forms/operation-form.ts'))
const past = lazily(() => import('./past/view.ts'))
const people = lazily(() => import('./person/read.ts'))
const problemTypes = lazily(() => import('./problem/read.ts'))
const searches = lazily(() => import('./search/read.ts'))
const things = lazily(() => import('./things.ts'))
const users = lazily(() => import('./user/read.ts'))
const webhooks = lazily(() => import('./webhooks/read.ts'))

const screens: { readonly [S in Shown['screen']]: Show<S> } = {
  async list(shown, call, { title }) {
    const turn = takeTurns()
    const screen = await lists[shown.name]?.show(shown, call, String(title))
    // Reading the data of a long list took a while.
    await turn()
    return screen
  },
  async creation({ resource }, call) {
    const form = (await operationForms()).creationForm(resource, call)
    return form && { forms: () => [form] }
  },
  thing: async ({ resource, thing }, call) => (await things()).showOne(resource, thing, call),
  past: async ({ resource, thing, present }, call) => (await past()).showPast(resource, thing, present, call),
  actions: async ({ resource, thing, actions }, call) => (await things()).showActionsOn(resource, thing, actions, call),
  action: async ({ operation, thing }, call) => (await things()).showOperationOn(operation, thing, call),
  entry: async ({ resource, event, thing }, call) => (await histories()).showEntry(resource, event, thing, call),
  command: async ({ command }, call, document) => (await commands()).showCommand(document, command, call),
  search: async ({ search }, call) => (await searches()).showSearch(search, call),
  user: async ({ user, once }, call) => (await users()).showUser(user, once ?? {}, call),
  person: async ({ person }, call) => (await people()).showPerson(person, call),
  audited: async ({ resource }, call, { json }) => (await audited()).showAuditedThing(resource, JSON.parse(json), call),
  import: async (_shown, call) => (await imports()).showImport(call),
  webhook: async (_shown, call, { json }) => (await webhooks()).showWebhook(JSON.parse(json), call),
  'webhook test': async ({ webhook }, call, { json }) =>
    (await webhooks()).showWebhook(JSON.parse(webhook.json), call, JSON.parse(json)),
  delivery: async ({ webhook }, call, document) => (await deliveries()).showDelivery(document, webhook, call),
  problems: async (_shown, call) => (await problemTypes()).showProblems(call),
  'problem type': async (_shown, call) => (await problemTypes()).showProblemType(call),
}

/** The document for people. */
export async function withScreen(document: Document, shown: Shown, call: Call): Promise<Document> {
  const show = screens[shown.screen] as Show<Shown['screen']>
  const made = await show(shown as never, call, document)
  const seen = typeof made === 'function' ? { screen: made } : made
  // A copy of its members would join the texts of a list, which no screen needs.
  return Object.defineProperties({ ...seen } as Document, Object.getOwnPropertyDescriptors(document))
}
