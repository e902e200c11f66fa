/** Parses JSON whose numbers stay as written: a double cannot hold every amount. Throws what JSON.parse throws. */
export const readNumbersRaw = (text: string): unknown =>
  JSON.parse(text, (_name, value, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
  )
