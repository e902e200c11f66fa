export const importFormats = ['csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]
