/**
 * Where an object has a member: under its name, or, if the name has two parts, in the object of the first one:
 * `own.budget` is `{ "own": { "budget": 5 } }`.
 */
export interface Place<T> {
  readonly name: string
  /** The name within its group; of a member without one, its name. */
  readonly key: string
  readonly member: T
}

/** The members whose names begin alike: an object has them in another one. */
export interface Group<T> {
  readonly name: string
  readonly places: readonly Place<T>[]
}

export interface Grouped<T> {
  /** The members without a group. */
  readonly plain: readonly Place<T>[]
  readonly groups: readonly Group<T>[]
}

/** Members by their names, as an object has them. */
export function grouped<T>(members: Iterable<readonly [name: string, member: T]>): Grouped<T> {
  const plain: Place<T>[] = []
  const groups = new Map<string, Place<T>[]>()
  for (const [name, member] of members) {
    const [group, key] = partsOf(name)
    const places = group === '' ? plain : groups.get(group)
    if (places === undefined) groups.set(group, [{ name, key, member }])
    else places.push({ name, key, member })
  }
  return { plain, groups: [...groups].map(([name, places]) => ({ name, places })) }
}

/** The group of a member, or an empty text, and its name in there. */
export function partsOf(name: string): readonly [group: string, key: string] {
  const at = name.indexOf('.')
  return at === -1 ? ['', name] : [name.slice(0, at), name.slice(at + 1)]
}

export const groupOf = (name: string): string => partsOf(name)[0]

export const keyOf = (name: string): string => partsOf(name)[1]
