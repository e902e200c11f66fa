import { say } from '../../languages/say.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { Json } from '../../values/json/json.ts'

/** An operation as a request in one form, with its answer. */
export interface SampleRequest {
  readonly title: string
  readonly idea: string
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  /** Undefined for a request without a body. */
  readonly body?: Json
  readonly answer: SampleAnswer
  /** The same with the typed client: the code before and after the parameters. It does not support other protocols. */
  readonly client?: { readonly before: string; readonly params?: Json; readonly after: string }
}

export interface SampleAnswer {
  readonly status: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

type ParamNames = ReadonlyMap<string, string>

export interface EveryForm {
  readonly title: string
  /** The address of the operation's HTML form: the requests follow its input. */
  readonly action: string
  /** Whether the requests would be refused now. */
  readonly isRefused: boolean
  readonly origin: string
  readonly requests: readonly SampleRequest[]
  /** Forms that cannot express this operation, and why. */
  readonly without: readonly string[]
  /** The parameter of each member of a body: its value follows the input of the form. */
  readonly params: ParamNames
}

/** "The same, in every form": the requests for one operation. */
export function everyForm({ title, action, isRefused, origin, requests, without, params }: EveryForm): Markup {
  return html`<section class="every" id="every-form" aria-labelledby="every-title" data-of="${action}">
<h2 id="every-title">${say('The same, in every form')}</h2>
<p class="quiet">${say('“{operation}” in {count} forms.', { operation: say(title), count: requests.length })} ${
    isRefused
      ? say('Each is refused now, for the same reason.')
      : say('Each has the same result, the same event and the same revision.')
  }${!isRefused && params.size > 0 && html` ${say('Values from its form above are filled in.')}`}</p>
<div>${requests.map((request, at) => requestMarkup(request, at, origin, params))}</div>
${without.map((sentence) => html`<p class="quiet">${say(sentence)}</p>`)}
</section>
`
}

function requestMarkup(request: SampleRequest, at: number, origin: string, params: ParamNames): Markup {
  const { title, idea, method, path, answer, client } = request
  const line = html`<code><span class="method">${method}</span> ${path}</code>`
  return html`<details name="every"${at === 0 && html` open`}><summary><b>${say(title)}</b> ${line}</summary>
<p class="quiet">${say(idea)}</p>
<div class="codes">
${codeMarkup(html`<code>curl</code>`, curl(request, origin, params))}${
  client && codeMarkup(say('Typed client'), clientCode(client, params))
}<div class="answer"><h3>${say('What comes back')}</h3>
<pre tabindex="0"><code>${answerMarkup(answer, params)}</code></pre></div></div>
</details>
`
}

const codeMarkup = (title: Hole, code: Hole): Markup => html`<div><h3>${title}</h3>
<pre data-copy tabindex="0"><code>${code}</code></pre></div>
`

/** The command that sends a request; its address and headers are quoted, since a door's may have special characters. */
export function curl(
  { method, path, headers = {}, body }: Pick<SampleRequest, 'method' | 'path' | 'headers' | 'body'>,
  origin: string,
  params: ParamNames,
): Markup {
  const verb = (method === 'POST' && body !== undefined) || method === 'GET' ? '' : ` -X ${method}`
  const address = `${origin}${path}`
  // Without this option, curl reads brackets as a range of addresses.
  const plainly = address.includes('[') ? ' -g' : ''
  const start = `curl${plainly}${verb} ${/^[\w:/.{}-]+$/.test(address) ? address : quoted(address)}`
  const sent = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers }
  const lines = Object.entries(sent).map(([name, value]) => ` \\\n  -H ${quoted(`${name}: ${value}`)}`)
  if (body === undefined) return html`${start}${lines}`
  return html`${start}${lines} \\
  -d '${jsonMarkup(body, params, true)}'`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const clientCode = (
  { before, params: given, after }: NonNullable<SampleRequest['client']>,
  params: ParamNames,
): Markup => html`${before}${given !== undefined && jsonMarkup(given, params, false)}${after}`

function answerMarkup({ status, headers, body }: SampleAnswer, params: ParamNames): Markup {
  const head = [status, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  return html`${head}${body !== undefined && html`\n\n${withParameters(body, params)}`}`
}

/** JSON text whose parameter values are marked, so that the script can replace them. */
function withParameters(json: string, params: ParamNames): readonly (Markup | string)[] {
  // The parts come in threes: other text, a name, its value.
  return json.split(/"(\w+)":("(?:[^"\\]|\\.)*"|-?\d[\d.]*)/).map((part, at, parts) => {
    if (at % 3 === 1) return `"${part}":`
    const param = at % 3 === 2 ? params.get(parts[at - 1] ?? '') : undefined
    return param === undefined ? part : html`<span data-param="${param}">${part}</span>`
  })
}

/** A JSON value whose parameter values are marked; for a shell it is escaped for single quotes. */
function jsonMarkup(value: Json, params: ParamNames, shell: boolean, name = ''): Markup {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const members = Object.entries(value as { readonly [name: string]: Json }).map(
      ([key, member], at) =>
        html`${at > 0 && ', '}${shell ? `"${key}"` : key}: ${jsonMarkup(member, params, shell, key)}`,
    )
    return html`{${members.length > 0 && !shell && ' '}${members}${members.length > 0 && !shell && ' '}}`
  }
  const text = shell ? JSON.stringify(value).replaceAll("'", "'\\''") : JSON.stringify(value)
  const param = params.get(name)
  return param !== undefined
    ? html`<span data-param="${param}"${shell && html` data-shell`}>${text}</span>`
    : html`${text}`
}
