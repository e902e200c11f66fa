import { acceptedCoding } from '../../http/negotiate/content-coding.ts'
import { codingOf } from '../../http/respond/send/send-text.ts'
import type { State } from '../../values/guard.ts'
import type { DoorCall } from '../door.ts'

/** The tag of a thing in a text as it will be sent, in the coding that the client takes. */
export const contentTag = (
  state: State,
  content: string,
  { headers, service, schema }: Pick<DoorCall, 'headers' | 'service' | 'schema'>,
  representation = 'json',
): string => service.tags(schema).tag(state, { representation, coding: codingOf(content, acceptedCoding(headers)) })
