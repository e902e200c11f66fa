/** What the two services, or what was and what is, do not have in common. */
export class Difference extends Error {
  override readonly name = 'Difference'

  constructor(about: string, one?: string, other?: string) {
    super(one === undefined || other === undefined ? about : `${about}\n${beside(one, other)}`)
  }
}

/** Where two texts part, with what is around. */
function beside(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 400)
  const part = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from, at + 1200)}`
  return one === other ? one.slice(0, 2000) : `--- SQLite\n${part(one)}\n--- PostgreSQL\n${part(other)}`
}
