import type { Operation } from '../../../model/operation.ts'

/** An operation's name where names have underscores: `change_deal_price` for `ChangeDealPrice`. */
export const functionName = ({ words }: Pick<Operation, 'words'>): string =>
  words.action.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toLowerCase()
