/** The versions of the interface that are served. */
export const versions = ['v1'] as const

export const isVersion = (text: string): boolean => (versions as readonly string[]).includes(text)
