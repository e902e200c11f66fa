import type { Call } from '../../http/contract/endpoint.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Schema } from '../../model/declaration/schema.ts'

/** The effect of a form: it made a revision of a thing, or sent many commands under one key. */
export type Done =
  | { readonly resource: string; readonly id: Key; readonly revision: number }
  | { readonly key: string; readonly count: number; readonly isUndo?: true }

/** A form that did something, or an undo that was refused, and why. */
export interface ToldNext {
  readonly done: Done
  readonly refused?: 'changed' | 'impossible'
}

/** Names the change without describing it. */
export const writeDone = (done: Done): string =>
  'key' in done
    ? `${done.isUndo ? 'undo' : 'many'}:${done.key}:${done.count}`
    : `${done.resource}:${done.id}:${done.revision}`

const pattern = /^([a-z]+):([\w.~-]{1,128}):([1-9]\d{0,14})$/

/** Reads it back from a browser, which may have sent anything. */
export function readDone(text: string, { resources }: Schema): Done | undefined {
  const [, kind = '', id = '', number = ''] = pattern.exec(text) ?? []
  const count = Math.min(Number(number), MOST)
  if (kind === 'many') return { key: id, count }
  if (kind === 'undo') return { key: id, count, isUndo: true }
  const key = resources.find(({ name }) => name === kind)?.kinds.id?.readText(id)
  return key === undefined || 'fault' in key
    ? undefined
    : { resource: kind, id: key.value as Key, revision: Number(number) }
}

/** A batch has no more commands. */
const MOST = 1000
const NAME = 'dealdesk_done'
/** Seconds between the answer to a form and the page that reports it, at most. */
const LIFE = 60

type AnsweredCall = Pick<Call, 'service' | 'peer'>

/** The header that makes the next page report the change. */
export const tellNext = ({ done, refused }: ToldNext, connection: AnsweredCall): string =>
  setCookie(`${refused === undefined ? '' : `${refused}!`}${writeDone(done)}`, LIFE, connection)

export const toldNow = (connection: AnsweredCall): string => setCookie('', 0, connection)

function setCookie(value: string, life: number, { service, peer }: AnsweredCall): string {
  const { baseUrl } = service.settings
  const path = baseUrl === '' ? '/' : new URL(`${baseUrl}/`).pathname
  const secure = peer.isSecure || baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${NAME}=${value}; Max-Age=${life}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
}

const inHeader = new RegExp(`(?:^|;\\s*)${NAME}=(?:(changed|impossible)!)?([^;]*)`)

/** Whether there is something to report; checked for every page. */
export const hasNotice = (header: string | undefined): boolean => header?.includes(NAME) ?? false

/** The change that the page reports. */
export function readTold(header: string | undefined, schema: Schema): ToldNext | undefined {
  const [, refused, text = ''] = inHeader.exec(header ?? '') ?? []
  const done = readDone(text.trim(), schema)
  return done && { done, ...(refused !== undefined && { refused: refused as NonNullable<ToldNext['refused']> }) }
}
