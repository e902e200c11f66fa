import { say } from '../../languages/say.ts'
import type { Words } from '../../languages/text.ts'

/** `Chrome on Windows` for the user agent of a session; a text that names neither stays. */
export function clientText(client: string | null): Words {
  if (client === null) return say('not known')
  const [browser, system] = [browsers, systems].map((each) => each.find(([sign]) => client.includes(sign))?.[1])
  if (browser === undefined) return client
  return system === undefined ? browser : say('{browser} on {system}', { browser, system })
}

/** In the order of search: most browsers also name those that they resemble. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const
