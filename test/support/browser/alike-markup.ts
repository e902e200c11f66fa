/** A page with one of the rows, entries and options of each list that have the same markup: the others tell nothing new. */
export function withoutAlike(text: string): string {
  let seen = new Set<string>()
  return text.replace(/<(?:ul|ol|tbody|select|datalist)\b|<(tr|li|option)\b(?:(?!<\1\b).)*?<\/\1>/gs, (found, row) => {
    if (row === undefined) seen = new Set()
    const markup = found.replace(/>[^<]+|(?<! class| type)="[^"]*"/g, '')
    const isKnown = row !== undefined && seen.has(markup)
    seen.add(markup)
    return isKnown ? '' : found
  })
}
