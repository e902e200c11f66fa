import type { Operation } from '../../model/schema.ts'

/** Named like its action: `holdDeal`. */
export const mutationName = ({ words: { action } }: Pick<Operation, 'words'>): string =>
  action.charAt(0).toLowerCase() + action.slice(1)

/** An operation's name where names have underscores: `change_deal_price` for `ChangeDealPrice`. */
export const functionName = ({ words }: Pick<Operation, 'words'>): string =>
  words.action.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toLowerCase()
