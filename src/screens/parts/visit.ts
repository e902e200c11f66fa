import type { Call } from '../../http/contract/endpoint.ts'
import type { Markup } from '../../representations/html/markup.ts'

export type { Addresses } from '../../http/contract/addresses.ts'
export type { PageLinks, ShownList } from '../../http/contract/shown.ts'

/** The request that a screen answers. */
export type Visit = Call

/** Whether a user calls, directly or with one of their keys. */
export const isUser = ({ caller }: Pick<Visit, 'caller'>): boolean => typeof caller?.user === 'string'

/** The main part of a page. */
export type View = () => Markup
