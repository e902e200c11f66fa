import { resources } from '../model/resources.ts'
import { ME } from '../model/user/user.ts'
import { label } from '../representations/html/label.ts'
import type { NavigationEntry } from '../representations/html/writing-context.ts'
import type { Role } from '../values/role.ts'
import type { Addresses } from './addresses.ts'

/** A place in the navigation of every page. */
export interface NavigationPlace extends NavigationEntry {
  /** The role that it needs to be shown; without one, everybody sees it. */
  readonly needs?: Role
  /** Other addresses that belong to it. */
  readonly also?: readonly string[]
  /** The address for a user, whose own things come first. */
  readonly own?: string
}

/** The keyboard shortcuts of resources. */
const keys: { readonly [resource: string]: string } = { deal: 'd', customer: 'c', task: 's' }

/** What a list begins with, for everybody and for a user. */
const beginnings: { readonly [resource: string]: { readonly all: string; readonly own?: string } } = {
  deal: { all: '?status=open' },
  task: { all: '?status=open&sort=dueOn', own: `?assignee=${ME}&status=open&sort=dueOn` },
}

/** Resources that are set up rather than worked with. */
const settings: ReadonlySet<string> = new Set(['rate', 'view'])

/** Every place, in the order in which it is shown. The first five of the work are those of the bar on phones. */
export function navigationAt(addresses: Addresses): readonly NavigationPlace[] {
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
  }))
  const reference = `${base}/docs`
  return [
    { ...work, label: 'Today', href: addresses.home, key: 't' },
    { ...work, label: 'Board', href: addresses.board, key: 'b' },
    ...lists.filter(({ part }) => part === 'work'),
    { ...work, label: 'Reports', href: addresses.reports, key: 'p' },
    { ...work, label: 'Activity', href: `${addresses.events}?sort=-sequence`, key: 'a' },
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
    { ...developers, label: 'Webhooks', href: addresses.webhooks, key: 'w', needs: 'admin' },
    { ...developers, label: 'Commands', href: addresses.commands, key: 'm' },
    { ...developers, label: 'Queries', href: `${base}/query`, key: 'q' },
    { part: 'developers', label: 'Reference', href: reference, key: 'r', also: [`${base}/problems`] },
    { part: 'developers', label: 'Doors', href: `${reference}#doors`, also: [`${reference}/doors`] },
  ]
}

/** The places of a page, with the one that it is at, or below, marked. */
export function placesAt(
  path: string,
  shown: readonly NavigationPlace[],
  isUser: boolean,
  { base, home }: Addresses,
): readonly NavigationEntry[] {
  const lengthAt = (href: string): number => {
    if (href.includes('#')) return 0
    const place = href.slice(base.length).split('?', 1)[0] ?? ''
    // Every path is below the home.
    return path === place || (href !== home && path.startsWith(`${place}/`)) ? place.length : 0
  }
  const lengths = shown.map(({ href, also = [] }) => Math.max(...[href, ...also].map(lengthAt)))
  const nearest = Math.max(...lengths)
  return shown.map((place, at) => ({
    ...place,
    href: isUser ? (place.own ?? place.href) : place.href,
    current: nearest > 0 && lengths[at] === nearest,
  }))
}
