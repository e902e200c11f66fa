import type { Call } from '../../http/contract/endpoint.ts'
import type { Markup } from '../../representations/html/markup.ts'

export type { Addresses } from '../../http/contract/addresses.ts'
export type { PageLinks, ShownList } from '../../http/contract/shown.ts'

/** What a screen may know of the request that it answers. */
export type Visit = Call

/** Whether a user calls, by themselves or with a key of theirs. */
export const isUser = ({ caller }: Pick<Visit, 'caller'>): boolean => typeof caller?.user === 'string'

/** What a person sees: the main part of a page. */
export type View = () => Markup
