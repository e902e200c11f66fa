import { personNamed } from '../model/nouns/user/person.ts'
import type { User } from '../model/nouns/user/user.ts'
import type { Accounts } from '../store/port/accounts.ts'

/** Milliseconds until a new user is suggested at the latest. */
const KNOWN_FOR = 1000
/** More people would make up most of a page. */
const MOST_PEOPLE = 500

/** The people who may be named as an owner or assignee, for the fields of pages. */
export interface Roster {
  readonly people: readonly Pick<User, 'name' | 'fullName'>[]
  /** A user's settings for pages; undefined if there is no such user. */
  readonly profile: (name: string) => Pick<User, 'locale' | 'timeZone' | 'developer'> | undefined
  /** For the names that pages show. */
  readonly names: {
    readonly fullName: (name: string) => string | undefined
    readonly isUser: (name: string) => boolean
    /** The text that a field shows for a user: the full name, if nobody else is found by it. */
    readonly typedName: (name: string) => string
  }
  /** The name of the one whom people mean by a text, as fields show it; undefined for several or nobody. */
  readonly meant: (text: string) => string | undefined
  /** After a change of a user: the next call reads the store. */
  readonly forget: () => void
  /** To be awaited before a page is written; undefined while `people` is recent. */
  readonly look: () => Promise<void> | undefined
}

export function openRoster(accounts: Accounts, now: () => number = () => performance.now()): Roster {
  let people: readonly User[] = []
  let profiles: ReadonlyMap<string, User> = new Map()
  let typed: ReadonlyMap<string, string> = new Map()
  let at = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  return {
    get people() {
      return people
    },
    profile: (name) => profiles.get(name),
    names: {
      fullName: (name) => profiles.get(name)?.fullName ?? undefined,
      isUser: (name) => profiles.has(name),
      typedName: (name) => typed.get(name) ?? name,
    },
    meant: (text) => nameMeant(people, text),
    forget() {
      at = Number.NEGATIVE_INFINITY
    },
    look() {
      if (now() - at < KNOWN_FOR) return undefined
      // An unavailable store fails the page itself, not its suggestions.
      looking ??= read()
        .catch(() => {})
        .finally(() => {
          looking = undefined
        })
      return looking
    },
  }

  async function read(): Promise<void> {
    const users = await accounts.users()
    profiles = new Map(users.map((user) => [user.name, user]))
    people = users.filter(({ disabled }) => !disabled).slice(0, MOST_PEOPLE)
    typed = new Map(
      people.flatMap(({ name, fullName }) =>
        fullName !== null && nameMeant(users, fullName) === name ? [[name, fullName]] : [],
      ),
    )
    at = now()
  }
}

function nameMeant(users: readonly User[], text: string): string | undefined {
  const found = personNamed(users, text, { byWords: true })
  return 'name' in found ? found.name : undefined
}
