export const importFormats = ['csv', 'ndjson', 'xlsx'] as const
export type ImportFormat = (typeof importFormats)[number]
