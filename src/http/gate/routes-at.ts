import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Route } from '../contract/route.ts'

/** All routes of an address, whatever the method. */
export function routesAt(path: string, routes: readonly Route[]): readonly Route[] {
  const segments = segmentsOf(path)
  return routes.filter((route) => matches(patternOf(route), segments) && (route.where?.(path) ?? true))
}

/** Split like the router: a trailing slash does not count, an empty segment does. */
export const segmentsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/').slice(1)

/** The segments of each route's path, split once: an unknown address is compared with all of them. */
export const patternOf = bySchema(({ path }: Route): readonly string[] => segmentsOf(path))

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  (pattern.at(-1) === '*' ? pattern.length <= path.length : pattern.length === path.length) &&
  pattern.every((segment, index) => segment === '*' || segment.startsWith(':') || segment === path[index])
