/** `change-price` as `ChangePrice`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[-_.])(.)/g, (_, letter: string) => letter.toUpperCase())

/** `change-price` as `changePrice`. */
export const camelCase = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
