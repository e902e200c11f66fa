/**
 * The most commands of a batch. More are sent as a stream, which may refer to the things of this many earlier commands.
 */
export const MOST_COMMANDS = 1000

/** The possible results of one command among many. */
export const resultStatuses = ['applied', 'rejected', 'not-tried'] as const
export type ResultStatus = (typeof resultStatuses)[number]
