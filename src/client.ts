import type { OwnFields } from './client/asking.ts'
import type { Action, Command, Deal, Event, FormName, Found, Page, ProblemDocument } from './client/documents.ts'
import type {
  CallOptions,
  Client,
  EventOptions,
  Form,
  List,
  OperationOptions,
  Options,
  ReadOptions,
  Target,
  WriteOptions,
} from './client/interface.ts'
import type { ProblemCode } from './http/contract/problems/problem-types.ts'
import type { OperationName } from './model/nouns/deal/operations.ts'

export type * from './client/asking.ts'
export type * from './client/documents.ts'
export type * from './client/interface.ts'

// One module without imports at run time, for browsers. It only needs `fetch`.

/** A refusal of the service. */
export class DealdeskProblem extends Error {
  override readonly name = 'DealdeskProblem'
  readonly status: number
  /** `unknown` if something between here and the service answered. */
  readonly code: ProblemCode | 'unknown'
  readonly errors: NonNullable<ProblemDocument['errors']>
  /** The whole document. */
  readonly problem: Partial<ProblemDocument>
  constructor(status: number, problem: Partial<ProblemDocument>) {
    super(problem.detail ?? `status ${status}`)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.errors = problem.errors ?? []
    this.problem = problem
  }
}

type JsonMembers = { readonly [name: string]: unknown }
type Existing = Exclude<OperationName, 'create'>

/** The parts of a request for an operation. */
interface Wording {
  readonly id?: Target
  /** The place of the deal and the id of the command, escaped for an address. */
  readonly deal?: string
  readonly command?: string
  /** A creation needs no words. */
  readonly name?: string
  readonly participle?: string
  readonly noun?: string
  readonly action?: string
  readonly params: JsonMembers
  readonly attributes?: JsonMembers | undefined
}
type Request = (of: Wording) => readonly [method: string, path: string, body: JsonMembers | undefined]

interface Tables {
  /** The words of each operation; and if attributes can express it, the fixed ones and the field of each parameter. */
  readonly words: {
    readonly [N in Existing]: readonly [
      participle: string,
      noun: string,
      action: string,
      marks?: JsonMembers,
      sets?: { readonly [param: string]: string },
    ]
  }
  /** The operations that remove the deal. */
  readonly deletions: readonly OperationName[]
  /** The request of each form for an operation on a deal. */
  readonly requests: { readonly [F in Form]: Request }
  /** A creation, in the forms that have one. */
  readonly creations: { readonly [F in FormName]?: Request } & { readonly resource: Request }
  /** The other resources: the path, and the operations without a method of their own. */
  readonly things: { readonly [name: string]: readonly [path: string, ...string[]] }
  /** The forms that answer with the deal; after the others the client reads it. */
  readonly answersWithDeal: readonly FormName[]
  /** The forms that know a deal by its id alone. */
  readonly byIdOnly: readonly FormName[]
}

// Written by `npm run generate`.
const { words, deletions, requests, creations, things, answersWithDeal, byIdOnly }: Tables = {
  words: {
    delete: ['deleted', 'deletions', 'DeleteDeal'],
    restore: ['restored', 'restorations', 'RestoreDeal'],
    hold: ['holded', 'holds', 'HoldDeal', { held: true }, { reason: 'holdReason' }],
    unhold: ['unholded', 'unholds', 'UnholdDeal', { held: false }, {}],
    complete: ['completed', 'completions', 'CompleteDeal'],
    cancel: ['cancelled', 'cancellations', 'CancelDeal'],
    reopen: ['reopened', 'reopenings', 'ReopenDeal'],
    archive: ['archived', 'archivals', 'ArchiveDeal'],
    unarchive: ['unarchived', 'unarchivals', 'UnarchiveDeal'],
    'change-price': ['price-changed', 'price-changes', 'ChangeDealPrice'],
    'change-completion-date': ['completion-date-changed', 'completion-date-changes', 'ChangeDealCompletionDate'],
    rename: ['renamed', 'renamings', 'RenameDeal', {}, { newName: 'name' }],
    describe: ['described', 'descriptions', 'DescribeDeal', {}, {}],
    assign: ['assigned', 'assignments', 'AssignDeal', {}, {}],
    'change-customer': ['customer-changed', 'customer-changes', 'ChangeDealCustomer', {}, {}],
    move: ['moved', 'moves', 'MoveDeal', {}, {}],
    'add-note': ['note-added', 'notes', 'AddDealNote'],
    'record-payment': ['payment-recorded', 'payments', 'RecordDealPayment'],
    'waive-amercement': ['amercement-waived', 'amercement-waivers', 'WaiveDealAmercement'],
    'set-fields': ['fields-set', 'field-settings', 'SetDealFields', {}, {}],
  },
  deletions: ['delete'],
  requests: {
    verb: (of) => ['PUT', `/rest/v1/deals/${of.deal}/${of.name}`, of.params],
    participle: (of) => ['PUT', `/rest/v1/deals/${of.deal}/${of.participle}`, of.params],
    'custom-method': (of) => ['POST', `/rest/v1/deals/${of.deal}:${of.name}`, of.params],
    'single-update': (of) => ['PUT', `/rest/v1/deals/${of.deal}`, { action: of.action, params: of.params }],
    'attribute-update': (of) => ['PUT', `/rest/v1/deals/${of.deal}`, of.attributes],
    noun: (of) => ['POST', `/rest/v1/deals/${of.deal}/${of.noun}`, of.params],
    'deal-command': (of) => [
      'PUT',
      `/rest/v1/deals/${of.deal}/commands/${of.command}`,
      { action: of.action, params: of.params },
    ],
    command: (of) => ['PUT', `/rest/commands/${of.command}`, { deal: of.id, action: of.action, params: of.params }],
    'command-endpoint': (of) => ['POST', `/command/${of.action}/`, { id: of.id, ...of.params }],
  },
  creations: {
    resource: (of) => ['POST', `/rest/v1/deals/`, of.params],
    command: (of) => ['PUT', `/rest/commands/${of.command}`, { action: 'CreateDeal', params: of.params }],
    'command-endpoint': (of) => ['POST', `/command/CreateDeal/`, of.params],
  },
  things: {
    customers: ['/customers', 'add-note'],
    tasks: ['/rest/v1/tasks', 'finish', 'reopen'],
    rates: ['/rates'],
    targets: ['/targets'],
    views: ['/views'],
    fields: ['/fields', 'retire', 'restore'],
    pipelines: ['/pipelines'],
  },
  answersWithDeal: ['resource', 'verb', 'participle', 'custom-method', 'single-update', 'attribute-update'],
  byIdOnly: ['custom-method', 'deal-command', 'command-endpoint'],
}
// End of what is written.

const tags = new WeakMap<object, string>()

/** The ETag of a thing that was read. */
export const etagOf = (thing: object): string | undefined => tags.get(thing)

interface RequestOptions extends Omit<CallOptions, 'signal'> {
  readonly signal?: AbortSignal | undefined
  readonly body?: unknown
  readonly type?: string
  readonly key?: string
  readonly headers?: Record<string, string>
  /** The content of the answer is read as a stream. */
  readonly live?: boolean
}

export function connect<O extends OwnFields = Record<never, never>>(
  url: string | URL,
  options: Options = {},
): Client<O> {
  const connection = new Connection(url, options)
  const client: Client = {
    deals: dealsOf(connection),
    ...(Object.fromEntries(
      Object.entries(things).map(([name, words]) => [name, thingsAt(connection, ...words)]),
    ) as unknown as Pick<Client, 'customers' | 'tasks' | 'rates' | 'targets' | 'views' | 'fields' | 'pipelines'>),
    commands: {
      get: (id, given) => connection.get(`/rest/commands/${segment(id)}`, given),
      list: (asked, given) => connection.list('/rest/commands', asked, given),
    },
    batch: async (commands, { atomic = false, ...given } = {}) => {
      const response = await connection.write('POST', '/rest/v1/batch', { atomic, commands }, given)
      return (await read<{ results: never }>(response)).results
    },
    search: async (words, given) =>
      (await connection.get<{ items: readonly Found[] }>(`/search${searchOf({ search: words })}`, given)).items,
    query: (name: string, parameter: unknown, given?: CallOptions) => connection.query(name, parameter, given),
    events: (asked) => connection.events(asked),
    pastEvents: (asked, given) => connection.list('/events', asked, given),
  }
  return client as unknown as Client<O>
}

function dealsOf(connection: Connection): Client['deals'] {
  const update = async (id: Target, attributes: object, given?: WriteOptions): Promise<Deal> =>
    read(await connection.write('PUT', dealAt(id), attributes, given))
  const operations = Object.fromEntries(
    (Object.keys(words) as Existing[]).map((name) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      (id: Target, params?: JsonMembers, given?: OperationOptions) => connection.operate(name, id, params, given),
    ]),
  ) as unknown as Client['deals']
  return {
    ...operations,
    create: (params: object, given?: OperationOptions) => connection.create(params, given),
    get: (id: Target, given?: ReadOptions) => connection.thing(dealAt(id), given),
    list: (asked, given) => connection.list<never>('/rest/v1/deals', asked, given),
    update,
    upsert: update,
    history: (id, asked, given) => connection.list(`${dealAt(id)}/history`, asked, given),
    actions: async (id, given) =>
      (await connection.get<{ items: readonly Action[] }>(`${dealAt(id)}/actions`, given)).items,
  }
}

/** Reads and writes things, and performs each further operation by its name. */
function thingsAt(connection: Connection, path: string, ...named: readonly string[]) {
  const at = (id: Target): string => `${path}/${placeOf(id)}`
  const writing =
    (method: string, type?: string) =>
    async (id: Target, body?: object, given?: WriteOptions): Promise<object> =>
      read(await connection.write(method, at(id), body, { ...given, ...(type && { type }) }))
  const list = (part: string) => (id: string | number, asked?: object, given?: CallOptions) =>
    connection.list(at(id) + part, asked, given)
  return {
    get: (id: Target, given?: ReadOptions) => connection.thing(at(id), given),
    list: (asked?: object, given?: CallOptions) => connection.list(path, asked, given),
    create: async (body: object, given?: WriteOptions) => read(await connection.write('POST', path, body, given)),
    replace: writing('PUT'),
    upsert: writing('PUT'),
    patch: writing('PATCH', 'application/merge-patch+json'),
    delete: async (id: Target, given?: WriteOptions) =>
      void (await connection.write('DELETE', at(id), undefined, given)),
    history: list('/history'),
    items: list('/items'),
    ...Object.fromEntries(
      named.map((name) => [
        name,
        async (id: Target, given?: WriteOptions) => read(await connection.write('PUT', `${at(id)}/${name}`, {}, given)),
      ]),
    ),
  }
}

/** Sends the requests of a client. */
class Connection {
  readonly #base: string
  readonly #authorization: string | undefined
  readonly #usual: Form
  readonly #retries: number
  readonly #fetch: typeof fetch

  constructor(url: string | URL, { auth, form = 'verb', retries = 4, fetch: given = fetch }: Options) {
    this.#base = String(url).replace(/\/+$/, '')
    this.#authorization = auth && ('key' in auth ? `Bearer ${auth.key}` : `Basic ${encoded(auth)}`)
    this.#usual = form
    this.#retries = retries
    this.#fetch = given
  }

  /**
   * A complete answer that is not a refusal. A request with a temporary failure is sent again: by its key or id a write
   * is done once.
   */
  async ask(method: string, path: string, asked: RequestOptions = {}): Promise<Response> {
    const { body, type = 'application/json', key, ifMatch, dryRun, signal } = asked
    const request: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(this.#authorization && { authorization: this.#authorization }),
        ...(body !== undefined && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': `"${key}"` }),
        ...(ifMatch && { 'if-match': tagOf(ifMatch) }),
        ...asked.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: signal ?? null,
    }
    // Browsers call it only by itself, not as a method.
    const send = this.#fetch
    const address = this.#base + path + (dryRun ? '?dry-run=true' : '')
    for (let failed = 0; ; failed++) {
      let response: Response | undefined
      try {
        response = await send(address, request)
        if (response.ok) return asked.live ? response : new Response((await response.text()) || null, response)
      } catch (cause) {
        if (failed >= this.#retries || signal?.aborted) throw cause
        response = undefined
      }
      if (response && (failed >= this.#retries || !isPassing(response.status))) throw await problemOf(response)
      await response?.body?.cancel()
      const wait = waitOf(response?.headers.get('retry-after'))
      await pause(wait + Math.random() * Math.min(5000, 100 * 2 ** failed), signal)
    }
  }

  async get<T extends object>(path: string, { signal }: Pick<RequestOptions, 'signal'> = {}): Promise<T> {
    return read<T>(await this.ask('GET', path, { signal }))
  }

  /** A thing with the requested members, related things or past state. */
  thing(path: string, { signal, ...asked }: ReadOptions = {}): Promise<never> {
    return this.get<never>(path + searchOf(asked), { signal })
  }

  write(
    method: string,
    path: string,
    body: object | undefined,
    { commandId, ...rest }: WriteOptions & RequestOptions = {},
  ): Promise<Response> {
    return this.ask(method, path, { ...rest, body, key: keyOf(commandId) })
  }

  async operate(
    name: Existing,
    id: Target,
    params: JsonMembers = {},
    given: OperationOptions = {},
  ): Promise<Deal | undefined> {
    const { form = this.#usual, ...rest } = given
    const [participle, noun, action, marks, sets] = words[name]
    const attributes = sets && { ...marks, ...renamed(params, sets) }
    // The result of a dry run is the same in every form, but only this form answers with the deal.
    const isVerb = rest.dryRun || (typeof id === 'object' && byIdOnly.includes(form))
    const chosen = isVerb ? 'verb' : form === 'attribute-update' && !attributes ? 'single-update' : form
    const asked = { id, name, participle, noun, action, params, attributes }
    const response = await this.#askFor(requests[chosen], asked, rest)
    if (deletions.includes(name)) return undefined
    return answersWithDeal.includes(chosen) ? read<Deal>(response) : this.get<Deal>(dealAt(id), rest)
  }

  async create(params: object, given: OperationOptions = {}): Promise<Deal> {
    const { form = this.#usual, ...rest } = given
    const chosen = creations[form] !== undefined && !rest.dryRun ? form : 'resource'
    const response = await this.#askFor(creations[chosen] ?? creations.resource, { params: { ...params } }, rest)
    if (answersWithDeal.includes(chosen)) return read(response)
    if (chosen === 'command') return this.get(dealAt((await read<Command>(response)).deal ?? ''), rest)
    return this.get(dealAt(/\/deals\/([^/>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? ''), rest)
  }

  /** A command has its id in its address, everything else has a key. */
  #askFor(request: Request, asked: Wording, { commandId, ...rest }: Omit<OperationOptions, 'form'>): Promise<Response> {
    const key = keyOf(commandId)
    const inAddress = { deal: placeOf(asked.id ?? ''), command: segment(key) }
    const [method, path, body] = request({ ...asked, ...inAddress })
    return this.ask(method, path, { ...rest, body, ...(!path.includes('/commands/') && { key }) })
  }

  list<T extends object>(path: string, query: { offset?: number } = {}, { signal }: CallOptions = {}): List<T> {
    const page = async (search: string): Promise<Page<T>> =>
      read(
        await (search.length > LONGEST_SEARCH
          ? this.ask('QUERY', path, { signal, body: search.slice(1), type: 'application/x-www-form-urlencoded' })
          : this.ask('GET', path + search, { signal })),
      )
    return {
      page: async () => page(searchOf(query)),
      async *[Symbol.asyncIterator]() {
        let offset = Number(query.offset)
        for (let search: string | undefined = searchOf(query); search !== undefined; ) {
          const { items, links, hasMore, after, page: number = 1 }: Page<T> = await page(search)
          yield* items
          // A link that is too long is not sent.
          offset += items.length
          const place = after ? { after, page: undefined } : offset ? { offset } : { page: number + 1 }
          const further = hasMore ? searchOf({ ...query, before: undefined, offset: undefined, ...place }) : undefined
          search = links.next ? searchIn(links.next) : further
        }
      },
    }
  }

  async *query(name: string, parameter: unknown, { signal }: CallOptions = {}): AsyncGenerator<never> {
    const path = `/query/${name}/${segment(parameter)}`
    for (let search: string | undefined = ''; search !== undefined; ) {
      try {
        const response: Response = await this.ask('GET', path + search, { signal })
        yield* (await response.json()) as readonly never[]
        const next: string | undefined = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
        search = next && searchIn(next)
      } catch (cause) {
        if (cause instanceof DealdeskProblem && cause.code === 'empty-list') return
        throw cause
      }
    }
  }

  async *events({ after, signal, onLost, ...filter }: EventOptions = {}): AsyncGenerator<Event> {
    let last = after === '' ? '0000000000000000' : after
    let wait = 1000
    /** Since the last connection. */
    let failed: number | undefined
    for (;;) {
      let reader: ReadableStreamDefaultReader<string> | undefined
      let text = ''
      try {
        const response = await this.ask('GET', `/events${searchOf(filter)}`, {
          headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
          live: true,
          signal,
        })
        failed = 0
        reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
          text += part.value
          const messages = text.split(/\r?\n\r?\n/)
          text = messages.pop() ?? ''
          for (const message of messages) {
            const { id, data, retry } = fieldsOf(message)
            last = id ?? last
            wait = Number(retry ?? wait)
            if (data !== undefined) yield JSON.parse(data) as Event
          }
        }
      } catch (cause) {
        // A broken stream is resumed.
        const final = cause instanceof DealdeskProblem && !isPassing(cause.status)
        if (signal?.aborted || failed === undefined || final) throw cause
        onLost?.(cause)
      } finally {
        await reader?.cancel().catch(() => {})
      }
      await pause(Math.min(30_000, wait * 2 ** failed++) * (0.5 + Math.random() / 2), signal)
    }
  }
}

async function read<T extends object>(response: Response): Promise<T> {
  const thing = (await response.json()) as T
  const tag = response.headers.get('etag')
  if (tag !== null) tags.set(thing, tag)
  return thing
}

const dealAt = (id: Target): string => `/rest/v1/deals/${placeOf(id)}`

/** For a path; its end could be read as a format. */
const segment = (value: unknown): string => encodeURIComponent(String(value)).replaceAll('.', '%2E')

/** By its id, or by a unique value of it. */
const placeOf = (id: Target): string =>
  typeof id === 'object' ? ['by', ...Object.entries(id).flat().map(segment)].join('/') : segment(id)

/** The parameters under the names of the fields that they set. */
const renamed = (params: JsonMembers, sets: { readonly [param: string]: string }): JsonMembers =>
  Object.fromEntries(Object.entries(params).map(([param, value]) => [sets[param] ?? param, value]))

const encoded = ({ user, password }: { readonly user: string; readonly password: string }): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))

function tagOf(thing: object | string): string {
  const tag = typeof thing === 'string' ? thing : tags.get(thing)
  if (!tag) throw new TypeError('ifMatch needs an ETag, or what was read by itself and not in a list')
  return tag
}

const problemOf = async (response: Response): Promise<DealdeskProblem> =>
  new DealdeskProblem(response.status, Object(await response.json().catch(() => {})))

const isPassing = (status: number): boolean => [429, 500, 502, 503, 504].includes(status)

/** Generated if none is given; an empty one would count as none. */
function keyOf(commandId: string = crypto.randomUUID()): string {
  if (!commandId) throw new TypeError('commandId is empty')
  return commandId
}

/** A Retry-After is seconds or a date. */
const waitOf = (after: string | null = '0'): number =>
  Math.max(0, Number(after) * 1000 || Date.parse(after ?? '') - Date.now() || 0)

/** A longer one is sent as a QUERY, which not every proxy supports. */
const LONGEST_SEARCH = 2000

/** Commas separate their values. */
const listed = /^(sort|fields|expand|group|measure)$/

function searchOf(asked: object): string {
  const { where, search: q, ...query } = asked as JsonMembers
  const all = { ...query, filter: where && JSON.stringify(where), q }
  const search = Object.entries(all).flatMap(([name, values]) => {
    const texts = [values].flat().flatMap((value) => (value === undefined ? [] : encodeURIComponent(String(value))))
    const isListed = listed.test(name)
    // Without values everything would match.
    if (values && !isListed && !texts.length) throw new TypeError(`${name} is empty`)
    const isIn = name.endsWith('.in')
    const sent = (isListed || isIn) && texts.length > 1 ? [texts.join()] : texts
    // A text for `.in` is a list as in an address; an array's values may have commas.
    const isText = isIn && !Array.isArray(values)
    return sent.map((text) => `${encodeURIComponent(name)}=${isText ? text.replaceAll('%2C', ',') : text}`)
  })
  return search.length ? `?${search.join('&')}` : ''
}

/** Only the query: the rest of a link may be as a proxy sees it. */
const searchIn = (link: string): string => link.slice(link.indexOf('?'))

/** HTML Living Standard §9.2.6. */
function fieldsOf(message: string): { readonly id?: string; readonly data?: string; readonly retry?: string } {
  return Object.fromEntries(message.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s)))
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
