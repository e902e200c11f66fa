/** The possible results of one command among many. */
export const resultStatuses = ['applied', 'rejected', 'not-tried'] as const
export type ResultStatus = (typeof resultStatuses)[number]
