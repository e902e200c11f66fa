import type { Addresses } from '../../http/contract/addresses.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { ME } from '../../model/nouns/user/user.ts'
import { label } from '../../representations/html/label.ts'
import type { NavigationEntry } from '../../representations/markup/writing-context.ts'
import { memoize } from '../../values/memoize.ts'
import { mayDo, type Role } from '../../values/role.ts'

/** A place in the navigation of every page. */
export interface NavigationPlace extends NavigationEntry {
  /** The role that it needs; without one, everybody sees it. */
  readonly needs?: Role
  /** Other addresses that belong to it. */
  readonly also?: readonly string[]
  /** The address for a user, whose own things come first. */
  readonly own?: string
}

/** The keyboard shortcuts of resources. */
const keys: { readonly [resource: string]: string } = { deal: 'd', customer: 'c', task: 's' }

/** The signs of resources in the bar. */
const icons: { readonly [resource: string]: string } = { deal: 'deals', customer: 'customers', task: 'tasks' }

/** The initial query of a list, for everybody and for a user. */
const beginnings: { readonly [resource: string]: { readonly all: string; readonly own?: string } } = {
  deal: { all: '?status=open' },
  task: { all: '?status=open&sort=dueOn', own: `?assignee=${ME}&status=open&sort=dueOn` },
}

/** Resources that are settings rather than daily work. */
const settings: ReadonlySet<string> = new Set(['rate', 'target', 'view', 'field', 'pipeline'])

/** Every place, in order. The first five of the work are in the bar on phones. */
export function navigationAt(addresses: Addresses, { resources }: Schema): readonly NavigationPlace[] {
  const { base } = addresses
  const work = { part: 'work', needs: 'reader' } as const
  const developers = { part: 'developers', needs: 'reader' } as const
  const administration = { part: 'administration', needs: 'admin' } as const
  const lists = resources.map(({ name, plural, path, roles }) => ({
    label: label(plural),
    href: base + path + (beginnings[name]?.all ?? ''),
    ...(beginnings[name]?.own !== undefined && { own: base + path + beginnings[name].own }),
    part: settings.has(name) ? ('administration' as const) : ('work' as const),
    needs: roles.reads,
    ...(keys[name] !== undefined && { key: keys[name] }),
    ...(icons[name] !== undefined && { icon: icons[name] }),
  }))
  const reference = `${base}/docs`
  return [
    { ...work, label: 'Today', href: addresses.home, key: 't', icon: 'today' },
    { ...work, label: 'Board', href: addresses.board, key: 'b', icon: 'board' },
    ...lists.filter(({ part }) => part === 'work'),
    { ...work, label: 'Reports', href: addresses.reports, key: 'p', icon: 'reports' },
    { ...work, label: 'Activity', href: `${addresses.events}?sort=-sequence`, key: 'a', icon: 'activity' },
    ...resources
      .filter(({ name }) => !settings.has(name))
      .map(({ name, plural, roles }) => ({
        label: `New ${name}`,
        href: addresses.creation({ plural }),
        part: 'creation' as const,
        needs: roles.writes,
      })),
    { part: 'creation', label: 'Import', href: addresses.imports, needs: 'editor' },
    ...lists.filter(({ part }) => part === 'administration'),
    { ...administration, label: 'Users', href: addresses.users, key: 'u', also: [addresses.people] },
    { ...administration, label: 'Audit', href: addresses.audit },
    { ...developers, label: 'Webhooks', href: addresses.webhooks, key: 'h', needs: 'admin' },
    { ...developers, label: 'Commands', href: addresses.commands, key: 'm' },
    { ...developers, label: 'Queries', href: `${base}/query`, key: 'q' },
    { part: 'developers', label: 'Reference', href: reference, key: 'r', also: [`${base}/problems`] },
    { part: 'developers', label: 'Doors', href: `${reference}#doors`, also: [`${reference}/doors`] },
  ]
}

/** The viewer of a page. */
export interface Visitor {
  /** Whether they may see more than everybody may. */
  readonly isAdmitted: boolean
  readonly role: Role | null
  readonly isUser: boolean
  /** Whether they asked for what is for developers; it is also shown where they are at such a place. */
  readonly isDeveloper: boolean
}

/**
 * The places of a page, with the current one marked. There are a few for each role, so they are computed once: pages at
 * one place have the same array.
 */
export type PlacesFor = (schema: Schema) => (path: string, visitor: Visitor) => readonly NavigationEntry[]

export const navigationOf = (addresses: Addresses): PlacesFor =>
  bySchema((schema) => {
    const places = navigationAt(addresses, schema)
    const shownTo = memoize((_key, visitor: Visitor) => shownPlaces(places, visitor, addresses))
    const marked = memoize((_key, { shown, addressesOf }: ShownPlaces, current: string): readonly NavigationEntry[] =>
      shown.map((place, at) => ({ ...place, current: current !== '' && addressesOf[at]?.includes(current) === true })),
    )
    return (path, visitor) => {
      const { isAdmitted, role, isUser } = visitor
      const shown = (isDeveloper: boolean) => {
        const key = `${isAdmitted} ${role} ${isUser} ${isDeveloper}`
        const known = shownTo(key, { ...visitor, isDeveloper })
        const current = known.starts.find((start) => isWithin(path, start)) ?? ''
        return marked(`${key} ${current}`, known, current)
      }
      const all = shown(true)
      const isThere = all.some(({ part, current }) => part === 'developers' && current)
      return visitor.isDeveloper || isThere ? all : shown(false)
    }
  })

interface ShownPlaces {
  readonly shown: readonly NavigationEntry[]
  /** The paths of each place. */
  readonly addressesOf: readonly (readonly string[])[]
  /** All of them, the longest first. */
  readonly starts: readonly string[]
}

function shownPlaces(places: readonly NavigationPlace[], visitor: Visitor, { base }: Addresses): ShownPlaces {
  const isShown = ({ needs, part }: NavigationPlace): boolean =>
    (needs === undefined || (visitor.isAdmitted && mayDo(visitor, needs))) &&
    (part !== 'developers' || visitor.isDeveloper)
  const shown = places.filter(isShown)
  const pathOf = (href: string): string => href.slice(base.length).split('?', 1)[0] ?? ''
  const addressesOf = shown.map(({ href, also = [] }) =>
    [href, ...also].filter((each) => !each.includes('#')).map(pathOf),
  )
  return {
    shown: shown.map((place) => ({ ...place, href: visitor.isUser ? (place.own ?? place.href) : place.href })),
    addressesOf,
    starts: [...new Set(addressesOf.flat())].toSorted((one, other) => other.length - one.length),
  }
}

/** Every path is below the home, which is only itself. */
const isWithin = (path: string, start: string): boolean =>
  path === start || (start !== '/' && path.startsWith(start) && path[start.length] === '/')
