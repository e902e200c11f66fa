/** The names that a document gives to what is different each time: its ids to those of this run. */
export type Names = Map<string, string>

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/
const different: readonly (readonly [shown: RegExp, pattern: string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'],
  [/urn:dealdesk:request:[\w-]+/, 'urn:dealdesk:request:[\\w-]+'],
  [/(?<="\d+-)[0-9a-z]{8}-[\w-]{8}(?=")/, '[0-9a-z]{8}-[\\w-]{8}'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/, '\\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} GMT'],
  [/(?<=after=)[\w%-]+/, '[\\w%-]+'],
  [/whsec_[\w+/=]+/, 'whsec_[\\w+/=]+'],
  [/…/, '[\\s\\S]*?'],
]

/** What is wrong with an answer by what the document shows, or nothing. Learns the ids that it sees. */
export function differs(shown: string, actual: string, names: Names): string | undefined {
  const ids: string[] = []
  // A document need not hold the CR of CSV's line ends, which no editor shows.
  const [seen, answered] = [shown, actual].map((text) => text.replaceAll('\r\n', '\n').trimEnd()) as [string, string]
  const found = new RegExp(`^${patternOf(seen, ids)}$`).exec(answered)
  if (found === null) return `shown:\n${shown}\nanswered:\n${actual}`
  for (const [at, id] of ids.entries()) {
    const now = found[at + 1] ?? ''
    if ((names.get(id) ?? now) !== now) return `${id} stands for ${names.get(id)} and for ${now}`
    names.set(id, now)
  }
  return undefined
}

function patternOf(shown: string, ids: string[]): string {
  const any = new RegExp([uuid, ...different.map(([each]) => each)].map(({ source }) => `(?:${source})`).join('|'), 'g')
  let pattern = ''
  let end = 0
  for (const { 0: text, index } of shown.matchAll(any)) {
    pattern += RegExp.escape(shown.slice(end, index))
    if (new RegExp(`^${uuid.source}$`).test(text)) {
      ids.push(text)
      pattern += '([0-9a-f-]{36})'
    } else pattern += different.find(([each]) => isWhole(each, shown, index, text))?.[1] ?? ''
    end = index + text.length
  }
  return pattern + RegExp.escape(shown.slice(end))
}

function isWhole(each: RegExp, shown: string, index: number, text: string): boolean {
  const sticky = new RegExp(each.source, 'y')
  sticky.lastIndex = index
  return sticky.exec(shown)?.[0] === text
}

/** What a reader would type, with the ids of this run. */
export const withNames = (command: string, names: Names): string =>
  command.replace(new RegExp(uuid.source, 'g'), (id) => names.get(id) ?? id)
