import type { Deprecation } from '../../config/setting-texts.ts'
import { versions } from '../../values/address.ts'
import type { Headers } from '../contract/answer.ts'

/** RFC 9745 and RFC 8594: the headers of a deprecated version, for its paths. */
export function deprecationHeaders(
  deprecated: ReadonlyMap<string, Deprecation>,
  base: string,
): (path: string) => Headers | undefined {
  const byVersion = new Map([...deprecated].map(([version, dates]) => [version, headersFor(version, dates)]))
  return (path) => byVersion.get(/^\/rest\/(v\d+)\//.exec(`${path}/`)?.[1] ?? '')

  function headersFor(version: string, { from, until }: Deprecation): Headers {
    // The list of versions has the state of each.
    const about = `<${base}/rest>; rel="deprecation", <${base}/rest>; rel="sunset"`
    const successor = versions.find((other) => other > version && !deprecated.has(other))
    return {
      deprecation: `@${Date.parse(`${from}T00:00:00Z`) / 1000}`,
      sunset: new Date(`${until}T23:59:59Z`).toUTCString(),
      link: successor === undefined ? about : `${about}, <${base}/rest/${successor}/deals>; rel="successor-version"`,
    }
  }
}
