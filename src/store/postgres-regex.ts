export const translated = <T>(pattern: T): T => pattern
