import type { Document } from '../../representations/document.ts'
import { localPath } from '../../values/address.ts'
import type { Answer, DoneWrite, Headers, Validators } from '../contract/answer.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Shown } from '../contract/shown.ts'
import type { WriteSuccess } from '../contract/success.ts'
import { MINIMAL, prefersMinimal } from '../request/prefer.ts'

/** The result of a write, or of a dry run. Documents are created only if they are sent. */
export interface WriteResult {
  readonly dryRun: boolean
  /** The content of the answer, if it has a body. */
  readonly document?: () => Document
  /** The screen for people. */
  readonly shown?: Shown | undefined
  /** The content for a dry run, if it is not the document itself. */
  readonly foreseen?: () => Document
  /** The address of the shown thing, or else of the written one. */
  readonly address?: string
  readonly validators?: Validators
  /** The shown thing has changed again since: it has no validators and no address. decisions/0013 */
  readonly isPast?: boolean
  /** Where a browser goes next. */
  readonly next?: string
  /** The change that the next page reports. */
  readonly done?: DoneWrite | undefined
  /** In addition to those that follow from the above. */
  readonly headers?: Headers
}

/** The response to a successful write. */
export function answerWrite(success: WriteSuccess, written: WriteResult, call: Call): Answer {
  const { document, validators, next } = written
  const isMinimal = call.headers.prefer !== undefined && prefersMinimal(call)
  if (written.dryRun) return answerDryRun(written, isMinimal)
  if (next !== undefined && !success.isShownOnce && isFromPage(call)) {
    return { status: 303, headers: { location: pageOf(call) ?? next, ...written.headers }, done: written.done }
  }
  const headers = { ...addressHeaders(success, written), ...written.headers }
  const state = validators !== undefined && !written.isPast && success.headers.includes('ETag') ? { validators } : {}
  if (isMinimal && !success.isShownOnce) {
    return { status: minimalStatus(success), headers: { ...headers, ...MINIMAL }, ...state }
  }
  if (document === undefined || success.shows === undefined) return { status: success.status, headers, ...state }
  const answer = {
    status: success.status,
    headers,
    document: document(),
    shown: written.isPast ? undefined : written.shown,
    ...state,
  }
  return success.isShownOnce ? { ...answer, secret: true } : answer
}

/** Whether a page's form sent the request: the answer is then a redirect to a page with the result. */
const isFromPage = (call: Call): boolean => call.fields !== undefined && call.representation === 'html'

/** The page of a form, if it leads back to that. */
function pageOf({ fields, service }: Call): string | undefined {
  const path = localPath(fields?.get('_return'))
  return path && service.addresses.base + path
}

/** RFC 7240 §4.2: a creation keeps its status, everything else has no content. */
export const minimalStatus = ({ status }: WriteSuccess): 201 | 204 => (status === 201 ? 201 : 204)

const DRY_RUN = { 'dry-run': 'true' } as const

function answerDryRun({ document, foreseen = document, headers }: WriteResult, isMinimal: boolean): Answer {
  const marked = { ...DRY_RUN, ...headers }
  if (isMinimal || foreseen === undefined) return { status: 204, headers: { ...marked, ...(isMinimal && MINIMAL) } }
  return { status: 200, headers: marked, document: foreseen() }
}

function addressHeaders({ headers }: WriteSuccess, { address, isPast }: WriteResult): Headers {
  if (address === undefined) return {}
  return {
    ...(headers.includes('Location') && { location: address }),
    ...(headers.includes('Content-Location') && !isPast && { 'content-location': address }),
    ...(headers.includes('Link') && { link: `<${address}>; rel="related"` }),
  }
}
