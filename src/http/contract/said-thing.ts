/** What an operation makes of a thing: its id, and the members that change, as JSON. */
export interface SaidThing {
  readonly id: string
  readonly revision: number
  readonly changed: readonly (readonly [name: string, json: string])[]
}

/** The thing as abbreviated JSON, with its links. */
export const withLinks = ({ id, changed }: SaidThing): string =>
  abbreviated(`"id":"${id}", `, [...changed, ['links', '{…}']])

/** Its fields alone. */
export const withoutLinks = ({ id, changed }: SaidThing): string => abbreviated(`"id":"${id}", `, changed)

/** Abbreviated JSON: how it begins, and some of its members. */
export const abbreviated = (start: string, members: SaidThing['changed']): string =>
  `{${start}…\n${members.map(([name, json]) => ` "${name}":${json}`).join(', …\n')}}`
