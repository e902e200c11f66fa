import type { State } from '../../../values/guard.ts'
import { acceptedCoding } from '../../negotiate/content-coding.ts'
import { codingOf } from '../../respond/send/send-text.ts'
import type { DoorCall } from '../door.ts'

/** What tags call the formats of doors whose bytes differ from those of the usual JSON at one address. */
export const doorFormats = ['metadata=none', 'ieee754', 'metadata=none ieee754', 'nulls=stripped'] as const

export type DoorFormat = 'json' | (typeof doorFormats)[number]

/** The tag of a thing in a text as it will be sent, in the coding that the client takes. */
export const contentTag = (
  state: State,
  content: string,
  { headers, service, schema }: Pick<DoorCall, 'headers' | 'service' | 'schema'>,
  representation: DoorFormat = 'json',
): string => service.tags(schema).tag(state, { representation, coding: codingOf(content, acceptedCoding(headers)) })
