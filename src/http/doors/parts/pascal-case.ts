/** `change-price` as `ChangePrice`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
