/** The prefix of the names of the boxes for event types. */
export const TYPE_BOX = 'types.'

/** A page has a box for each type, named `types.deal.held`. */
export function withChosenTypes(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isBox = (name: string): boolean => name.startsWith(TYPE_BOX)
  const chosen = [...fields.keys()].filter(isBox).map((name) => name.slice(TYPE_BOX.length))
  if (chosen.length === 0) return fields
  return new Map([...[...fields].filter(([name]) => !isBox(name)), ['types', chosen.join(', ')]])
}
