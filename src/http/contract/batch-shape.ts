/** The most commands of a batch. More go as a stream, which may name the things of as many commands before. */
export const MOST_COMMANDS = 1000

/** What can become of one command among many. */
export const resultStatuses = ['applied', 'rejected', 'not-tried'] as const
export type ResultStatus = (typeof resultStatuses)[number]
