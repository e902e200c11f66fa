import { readFileSync } from 'node:fs'
import { Access } from '../access/access.ts'
import { openProvider } from '../access/oidc/provider.ts'
import { tokenCallers } from '../access/oidc/token-callers.ts'
import { openRoster } from '../access/roster.ts'
import type { Settings } from '../config.ts'
import { openDoors } from '../doors/doors.ts'
import { openFeed } from '../events/feed.ts'
import { addressesAt } from '../http/contract/addresses.ts'
import type { Log, Service } from '../http/contract/endpoint.ts'
import { requestLog } from '../http/gate/request-log.ts'
import { htmlHeadersFor } from '../http/gate/security-headers.ts'
import { sessionCookie } from '../http/gate/session-cookie.ts'
import { entityTagsFor, taggedNames } from '../http/negotiate/entity-tags.ts'
import { importRuns } from '../imports/uploads/import-runs.ts'
import { openMonitor } from '../monitoring/monitor.ts'
import type { Traces } from '../monitoring/traces.ts'
import { representations } from '../representations/representations.ts'
import { openScreens } from '../screens/screens.ts'
import { countedStore } from '../store/counted-store.ts'
import type { Store } from '../store/port/store.ts'

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** The parts that the endpoints use, created once at the start. */
export function createService(store: Store, settings: Settings, log: Log, traces?: Traces): Service {
  const addresses = addressesAt(settings.baseUrl)
  const doors = openDoors(settings)
  const { oidc } = settings
  const provider = oidc && openProvider(oidc, `${settings.baseUrl}/sign-in/callback`)
  const tokens = oidc && provider && tokenCallers(provider, store, oidc)
  const monitor = openMonitor(settings)
  const counted = countedStore(store, { applied: monitor.operations.add, refused: monitor.refusals.add })
  return {
    state: {
      stopping: false,
      closing: false,
      dispatch: () => Promise.reject(new Error('no server was built')),
    },
    version,
    log,
    traces,
    requestLog: requestLog(log, settings.logRequests),
    store: counted,
    access: new Access(store.accounts, { tokens, anyone: settings.setUp ? 'anyUser' : 'any', part: traces?.part }),
    roster: openRoster(store.accounts),
    provider,
    cookie: sessionCookie(settings),
    monitor,
    feed: openFeed(store),
    imports: importRuns(),
    doors,
    settings,
    addresses,
    htmlHeaders: htmlHeadersFor(settings),
    tags: entityTagsFor(
      [version, settings.baseUrl],
      [...representations.flatMap(taggedNames), ...doors.flatMap(({ formats = [] }) => formats)],
    ),
    screens: openScreens(addresses),
  }
}
