import type { Deprecation } from '../config.ts'

/** RFC 9745 and RFC 8594: the headers of a version that will go, for the paths that are in it. */
export function deprecationHeaders(
  versions: ReadonlyMap<string, Deprecation>,
): (path: string) => { readonly [name: string]: string } | undefined {
  const byVersion = new Map([...versions].map(([version, dates]) => [version, headersFor(dates)]))
  return (path) => byVersion.get(/^\/rest\/(v\d+)\//.exec(`${path}/`)?.[1] ?? '')
}

const headersFor = ({ from, until }: Deprecation): { readonly [name: string]: string } => ({
  deprecation: `@${Date.parse(`${from}T00:00:00Z`) / 1000}`,
  sunset: new Date(`${until}T23:59:59Z`).toUTCString(),
})
