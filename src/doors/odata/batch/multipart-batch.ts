import type { RefusedCall } from '../../../http/contract/problems/problem.ts'
import { countValues, readJson } from '../../../http/request/body.ts'
import { batchBounds, bodyBounds } from '../../../values/bounds.ts'
import { type BatchRequest, methods, type RequestRun } from './batch-envelope.ts'

export const MULTIPART_MIXED = 'multipart/mixed'

/** A refusal while a batch is read. It is thrown because every part is nested in another one. */
class Malformed extends Error {}

/**
 * Reads a batch as multipart/mixed (OData Protocol 4.01 §11.7.7): requests, and change sets, whose requests take effect
 * together. Clients differ in line breaks and blank lines, leave ids out and declare any type for the JSON of a request;
 * none of that changes what is meant. Text behind the last boundary is refused: clients lose requests there.
 */
export function readMultipartBatch(
  bytes: Buffer,
  contentType: string,
): { readonly parts: readonly RequestRun[] } | RefusedCall {
  try {
    return { parts: new MultipartReader().read(bytes.toString('latin1'), contentType) }
  } catch (cause) {
    if (cause instanceof Malformed) return { problem: { code: 'malformed-body', detail: cause.message } }
    throw cause
  }
}

class MultipartReader {
  private requests = 0
  private values = 0

  read(text: string, contentType: string): readonly RequestRun[] {
    const parts = this.partsOf(text, contentType)
    return parts.map((part, index): RequestRun => {
      const { type, contentType, id, content } = readPart(part)
      if (type !== MULTIPART_MIXED) return { group: undefined, requests: [this.requestIn(type, content, id)] }
      const group = `changeset-${index + 1}`
      const [first, ...others] = this.changeSet(content, contentType, group)
      if (first === undefined) throw new Malformed('A change set of the batch has no requests.')
      return { group, requests: [first, ...others] }
    })
  }

  private changeSet(text: string, contentType: string, group: string): readonly BatchRequest[] {
    const ids = new Set<string>()
    return this.partsOf(text, contentType).map((part) => {
      const { type, id, content } = readPart(part)
      const request = this.requestIn(type, content, id, group)
      if (ids.has(request.id)) throw new Malformed(`The Content-ID ${request.id} is given twice in a change set.`)
      ids.add(request.id)
      return request
    })
  }

  private partsOf(text: string, contentType: string): readonly string[] {
    const boundary = boundaryOf(contentType)
    if (boundary === undefined) throw new Malformed(`${MULTIPART_MIXED} needs a boundary of 1 to 70 characters.`)
    const delimiter = new RegExp(`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
    const parts: string[] = []
    let from: number | undefined
    for (const match of text.matchAll(delimiter)) {
      if (from !== undefined) parts.push(text.slice(from, match.index).replace(/^\r?\n/, ''))
      if (this.requests + parts.length > batchBounds.commands)
        throw new Malformed(`The batch has more than ${batchBounds.commands} requests.`)
      from = match.index + match[0].length
      if (match[1] === undefined) continue
      if (text.slice(from).trim() === '') return parts
      throw new Malformed('Text stands behind the last boundary of the batch, or of a change set.')
    }
    throw new Malformed('The batch breaks off: its last boundary, or that of a change set, is missing.')
  }

  /** One embedded HTTP request. */
  private requestIn(type: string, text: string, contentId: string | undefined, group?: string): BatchRequest {
    if (type !== 'application/http')
      throw new Malformed(
        `A part of the batch is ${type || 'of no type'}; ${type === MULTIPART_MIXED ? 'change sets are not nested' : 'application/http is read'}.`,
      )
    this.requests++
    const at = `Request ${this.requests} of the batch`
    const {
      lines: [line = '', ...fields],
      content,
    } = splitHead(text.replace(/^(?:\r?\n)+/, ''))
    const methodEnd = line.indexOf(' ')
    const urlEnd = line.lastIndexOf(' HTTP/1.')
    const method = line.slice(0, Math.max(0, methodEnd)).toUpperCase()
    const url = asUtf8(line.slice(methodEnd, urlEnd).trim())
    if (!methods.includes(method) || urlEnd < methodEnd || url === '')
      throw new Malformed(`${at} does not begin with a line such as GET Deals HTTP/1.1.`)
    const bytes = Buffer.from(content, 'latin1')
    this.values += countValues(bodyBounds.values, bytes)
    if (this.values > bodyBounds.values) throw new Malformed(`The batch has more than ${bodyBounds.values} values.`)
    const body = content.trim() === '' ? { body: undefined } : readJson(bytes)
    return {
      ...{ id: contentId ?? `part-${this.requests}`, isNamed: contentId !== undefined, method, group, dependsOn: [] },
      // @odata/client writes the spaces of a filter as they are.
      url: url.replaceAll(' ', '%20'),
      headers: Object.fromEntries(headersIn(fields, at)),
      ...('problem' in body ? { body: undefined, fault: body.problem } : body),
    }
  }
}

interface Part {
  readonly type: string
  readonly contentType: string
  readonly id: string | undefined
  readonly content: string
}

function readPart(text: string): Part {
  const { lines, content } = splitHead(text)
  const headers = headersIn(lines, 'A part of the batch')
  const contentType = headers.get('content-type') ?? ''
  const id = headers.get('content-id')
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return { type, contentType, id: id === '' ? undefined : id, content }
}

/** The lines of a head, and what follows its blank line, which is missing if nothing follows. */
function splitHead(text: string): { readonly lines: readonly string[]; readonly content: string } {
  const blank = /(?:^|\r?\n)\r?\n/.exec(text)
  const head = blank === null ? text : text.slice(0, blank.index)
  return {
    lines: head.split(/\r?\n/).filter((line) => line !== ''),
    content: blank === null ? '' : text.slice(blank.index + blank[0].length),
  }
}

function headersIn(lines: readonly string[], of: string): ReadonlyMap<string, string> {
  if (lines.length > bodyBounds.members) throw new Malformed(`${of} has more than ${bodyBounds.members} headers.`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new Malformed(`${of} has a header line without a name and a colon.`)
    if (headers.has(name)) throw new Malformed(`${of} has the header ${name} twice.`)
    headers.set(name, asUtf8(line.slice(colon + 1).trim()))
  }
  return headers
}

const asUtf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')

const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}
