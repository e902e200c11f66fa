import type {
  Action,
  CallOptions,
  Client,
  Command,
  Customer,
  Deal,
  DealEvent,
  EventOptions,
  Form,
  List,
  OperationOptions,
  Options,
  Page,
  ProblemDocument,
} from './client/interface.ts'
import type { ProblemCode } from './http/respond/problem-types.ts'
import type { OperationName } from './model/deal/operations.ts'

export type * from './client/interface.ts'

// One module without imports at run time, so that a browser can load it as it is. It needs nothing but `fetch`.

/** A refusal of the service. */
export class DealdeskProblem extends Error {
  override readonly name = 'DealdeskProblem'
  readonly status: number
  /** `unknown` where something between here and the service answered. */
  readonly code: ProblemCode | 'unknown'
  readonly errors: NonNullable<ProblemDocument['errors']>
  /** All that was said. */
  readonly problem: Partial<ProblemDocument>
  constructor(status: number, problem: Partial<ProblemDocument>) {
    super(problem.detail ?? `status ${status}`)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.errors = problem.errors ?? []
    this.problem = problem
  }
}

type Params = { readonly [name: string]: unknown }
type Existing = Exclude<OperationName, 'create'>

/** The participle, the noun and the action of each operation, as the service declares them; a test compares. */
export const words: { readonly [N in Existing]: readonly [participle: string, noun: string, action: string] } = {
  delete: ['deleted', 'deletions', 'DeleteDeal'],
  restore: ['restored', 'restorations', 'RestoreDeal'],
  hold: ['holded', 'holds', 'HoldDeal'],
  unhold: ['unholded', 'unholds', 'UnholdDeal'],
  complete: ['completed', 'completions', 'CompleteDeal'],
  cancel: ['cancelled', 'cancellations', 'CancelDeal'],
  reopen: ['reopened', 'reopenings', 'ReopenDeal'],
  archive: ['archived', 'archivals', 'ArchiveDeal'],
  unarchive: ['unarchived', 'unarchivals', 'UnarchiveDeal'],
  'change-price': ['price-changed', 'price-changes', 'ChangeDealPrice'],
  'change-completion-date': ['completion-date-changed', 'completion-date-changes', 'ChangeDealCompletionDate'],
  rename: ['renamed', 'renamings', 'RenameDeal'],
  describe: ['described', 'descriptions', 'DescribeDeal'],
  assign: ['assigned', 'assignments', 'AssignDeal'],
  'change-customer': ['customer-changed', 'customer-changes', 'ChangeDealCustomer'],
  move: ['moved', 'moves', 'MoveDeal'],
  'add-note': ['note-added', 'notes', 'AddDealNote'],
  'record-payment': ['payment-recorded', 'payments', 'RecordDealPayment'],
  'waive-amercement': ['amercement-waived', 'amercement-waivers', 'WaiveDealAmercement'],
}

/** The operations that attributes can say in full; the others have parameters that a deal has no field for. */
const asAttributes: { readonly [N in Existing]?: (params: Params) => Params } = {
  hold: ({ reason }) => ({ held: true, holdReason: reason }),
  unhold: () => ({ held: false }),
  rename: ({ newName }) => ({ name: newName }),
  describe: (params) => params,
  assign: (params) => params,
  'change-customer': (params) => params,
  move: (params) => params,
}

const tags = new WeakMap<object, string>()

/** The ETag of a deal or a customer that was read by itself. */
export const etagOf = (thing: object): string | undefined => tags.get(thing)

interface Asked extends CallOptions {
  readonly body?: unknown
  readonly type?: string
  readonly key?: string
  readonly headers?: Record<string, string>
}

export function connect(url: string | URL, options: Options = {}): Client {
  const { auth, form: usual = 'verb', retries = 4, fetch: send = fetch } = options
  const base = String(url).replace(/\/+$/, '')
  const authorization = auth && ('key' in auth ? `Bearer ${auth.key}` : `Basic ${encoded(auth)}`)

  /** An answer that is no refusal. What failed in passing, and can be repeated without harm, is sent again. */
  async function ask(method: string, path: string, asked: Asked = {}): Promise<Response> {
    const { body, type = 'application/json', key, ifMatch, dryRun, signal } = asked
    const request: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(authorization && { authorization }),
        ...(body !== undefined && { 'content-type': type }),
        ...(key && { 'idempotency-key': `"${key}"` }),
        ...(ifMatch && { 'if-match': tagOf(ifMatch) }),
        ...asked.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const address = base + path + (dryRun ? '?dry-run=true' : '')
    const repeatable =
      method === 'GET' || key !== undefined || path.includes('/commands/') || (method !== 'POST' && !ifMatch)
    for (let failed = 0; ; failed++) {
      let response: Response | undefined
      try {
        response = await send(address, request)
        if (response.status < 400) return response
      } catch (cause) {
        if (failed >= retries || !repeatable || signal?.aborted) throw cause
      }
      const status = response?.status
      const passing = status === undefined || status === 429 || (repeatable && [502, 503, 504].includes(status))
      if (response && (failed >= retries || !passing)) throw await problemOf(response)
      const after = Number(response?.headers.get('retry-after') ?? 0) * 1000
      await response?.body?.cancel()
      await pause(after + Math.random() * Math.min(5000, 100 * 2 ** failed), signal)
    }
  }

  async function read<T extends object>(response: Response): Promise<T> {
    const thing = (await response.json()) as T
    const tag = response.headers.get('etag')
    if (tag !== null) tags.set(thing, tag)
    return thing
  }

  const get = async <T extends object>(path: string, asked: CallOptions = {}): Promise<T> =>
    read<T>(await ask('GET', path, asked.signal ? { signal: asked.signal } : {}))

  const deal = (id: string): string => `/rest/v1/deals/${encodeURIComponent(id)}`

  async function operate(
    name: Existing,
    id: string,
    params: Params = {},
    given: OperationOptions = {},
  ): Promise<Deal | undefined> {
    const { form = usual, commandId, ...rest } = given
    const key = commandId ?? crypto.randomUUID()
    const path = deal(id)
    const [participle, noun, action] = words[name]
    const attributes = asAttributes[name]
    const put = (at: string, body: unknown) => ask('PUT', at, { ...rest, body, key })
    // A command has an id of its own in its address.
    const command = (at: string, body: unknown) =>
      ask('PUT', `${at}/commands/${encodeURIComponent(key)}`, { ...rest, body })
    const forms: { readonly [F in Form]: () => Promise<Response> } = {
      verb: () => put(`${path}/${name}`, params),
      participle: () => put(`${path}/${participle}`, params),
      'single-update': () => put(path, { action, params }),
      'attribute-update': () => (attributes ? put(path, attributes(params)) : forms['single-update']()),
      noun: () => ask('POST', `${path}/${noun}`, { ...rest, body: params, key }),
      'deal-command': () => command(path, { action, params }),
      command: () => command('/rest', { deal: id, action, params }),
      'command-endpoint': () => ask('POST', `/command/${action}/`, { ...rest, body: { id, ...params }, key }),
    }
    // What would result is the same in every form, and only here it is the deal.
    const response = await forms[rest.dryRun ? 'verb' : form]()
    if (name === 'delete') return undefined
    return isDeal[form] || rest.dryRun ? read<Deal>(response) : get<Deal>(path, rest)
  }

  async function create(params: object, given: OperationOptions = {}): Promise<Deal> {
    const { form = usual, commandId, ...rest } = given
    const key = commandId ?? crypto.randomUUID()
    if (form === 'command' && !rest.dryRun) {
      const body = { action: 'CreateDeal', params }
      const { deal: id } = await read<Command>(
        await ask('PUT', `/rest/commands/${encodeURIComponent(key)}`, { ...rest, body }),
      )
      return get(deal(id), rest)
    }
    if (form === 'command-endpoint' && !rest.dryRun) {
      const response = await ask('POST', '/command/CreateDeal/', { ...rest, body: params, key })
      return get(deal(/\/deals\/([^/>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? ''), rest)
    }
    return read(await ask('POST', '/rest/v1/deals/', { ...rest, body: params, key }))
  }

  function list<T extends object>(path: string, query: object = {}, given: CallOptions = {}): List<T> {
    const page = (search: string) => get<Page<T>>(path + search, given)
    return {
      page: () => page(searchOf(query)),
      async *[Symbol.asyncIterator]() {
        for (let search: string | undefined = searchOf(query); search !== undefined; ) {
          const { items, links }: Page<T> = await page(search)
          yield* items
          search = links.next && searchIn(links.next)
        }
      },
    }
  }

  async function* query(name: string, parameter: unknown, { signal }: CallOptions = {}): AsyncGenerator<never> {
    const path = `/query/${name}/${encodeURIComponent(String(parameter))}`
    for (let search: string | undefined = ''; search !== undefined; ) {
      try {
        const response: Response = await ask('GET', path + search, signal ? { signal } : {})
        yield* (await response.json()) as readonly never[]
        const next: string | undefined = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
        search = next && searchIn(next)
      } catch (cause) {
        if (cause instanceof DealdeskProblem && cause.code === 'empty-list') return
        throw cause
      }
    }
  }

  async function* events({ after, signal, ...filter }: EventOptions = {}): AsyncGenerator<DealEvent> {
    let last = after
    let wait = 1000
    for (;;) {
      const response = await ask('GET', `/events${searchOf(filter)}`, {
        headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
        ...(signal && { signal }),
      })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      try {
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
          text += part.value
          const messages = text.split(/\r?\n\r?\n/)
          text = messages.pop() ?? ''
          for (const message of messages) {
            const { id, data, retry } = fieldsOf(message)
            if (id !== undefined) last = id
            if (retry !== undefined) wait = Number(retry)
            if (data !== undefined) yield JSON.parse(data) as DealEvent
          }
        }
      } catch (cause) {
        // A stream that broke is taken up again; what a reader of ours threw is not caught here.
        if (signal?.aborted) throw cause
      } finally {
        await reader?.cancel().catch(() => {})
      }
      await pause(wait * (0.5 + Math.random() / 2), signal)
    }
  }

  const changed = async (method: string, path: string, body: object | undefined, asked: Asked = {}) =>
    ask(method, path, body === undefined ? asked : { ...asked, body })
  const customer = (id: number): string => `/customers/${id}`
  const operations = Object.fromEntries(
    (Object.keys(words) as Existing[]).map((name) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      (id: string, params?: Params, given?: OperationOptions) => operate(name, id, params, given),
    ]),
  ) as unknown as Client['deals']

  return {
    deals: {
      ...operations,
      create,
      get: (id, given) => get(deal(id), given),
      list: (asked, given) => list('/rest/v1/deals', asked, given),
      update: async (id, attributes, { commandId, form: _, ...rest } = {}) =>
        read(await ask('PUT', deal(id), { ...rest, body: attributes, key: commandId ?? crypto.randomUUID() })),
      history: (id, asked, given) => list(`${deal(id)}/history`, asked, given),
      actions: async (id, given) => (await get<{ items: readonly Action[] }>(`${deal(id)}/actions`, given)).items,
    },
    customers: {
      get: (id, given) => get(customer(id), given),
      list: (asked, given) => list('/customers', asked, given),
      create: async (body, given) => read(await changed('POST', '/customers', body, given)),
      replace: async (id, body, given) => read(await changed('PUT', customer(id), body, given)),
      patch: async (id, body, given) =>
        read<Customer>(await changed('PATCH', customer(id), body, { ...given, type: 'application/merge-patch+json' })),
      delete: async (id, given) => void (await changed('DELETE', customer(id), undefined, given)),
    },
    commands: {
      get: (id, given) => get(`/rest/commands/${encodeURIComponent(id)}`, given),
      list: (asked, given) => list('/rest/commands', asked, given),
    },
    query,
    events,
    pastEvents: (asked, given) => list('/events', asked, given),
  }
}

/** The forms that answer with the deal; after the others it is read. */
const isDeal: { readonly [F in Form]?: true } = {
  verb: true,
  participle: true,
  'single-update': true,
  'attribute-update': true,
}

const encoded = ({ user, password }: { readonly user: string; readonly password: string }): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))

function tagOf(thing: object | string): string {
  const tag = typeof thing === 'string' ? thing : tags.get(thing)
  if (tag === undefined) throw new TypeError('ifMatch needs an ETag, or what was read by itself and not in a list')
  return tag
}

async function problemOf(response: Response): Promise<DealdeskProblem> {
  const isProblem = response.headers.get('content-type')?.includes('json')
  return new DealdeskProblem(response.status, isProblem ? ((await response.json()) as ProblemDocument) : {})
}

function searchOf(query: object): string {
  const search = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => {
      if (value === undefined) return []
      const text = encodeURIComponent(String(value))
      // A text is a list as an address has it; the commas of an array's values belong to them.
      const isList = name.endsWith('.in') && !Array.isArray(values)
      return [`${encodeURIComponent(name)}=${isList ? text.replaceAll('%2C', ',') : text}`]
    }),
  )
  return search.length === 0 ? '' : `?${search.join('&')}`
}

/** The place behind; the rest of a link may be as a proxy sees it. */
const searchIn = (link: string): string => link.slice(link.indexOf('?'))

/** HTML Living Standard §9.2.6, of what this service sends. */
function fieldsOf(message: string): { readonly id?: string; readonly data?: string; readonly retry?: string } {
  return Object.fromEntries(
    message.split(/\r?\n/).map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    }),
  )
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
    if (signal?.aborted) reject(signal.reason)
  })
