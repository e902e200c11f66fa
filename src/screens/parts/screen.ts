import type { Call } from '../../http/contract/endpoint.ts'
import type { Markup } from '../../representations/markup/markup.ts'

/** The main part of an HTML page. */
export type Screen = () => Markup

/** Whether a user calls, by themselves or with a key of theirs. */
export const isUser = ({ caller }: Pick<Call, 'caller'>): boolean => typeof caller?.user === 'string'
