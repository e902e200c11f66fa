import type { Operation } from '../../../model/operation.ts'

/** Named like its action: `holdDeal`. */
export const mutationName = ({ words: { action } }: Pick<Operation, 'words'>): string =>
  action.charAt(0).toLowerCase() + action.slice(1)
