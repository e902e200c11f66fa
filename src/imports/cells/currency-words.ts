import { languages } from '../../languages/language.ts'
import { fold } from '../../values/fold.ts'
import { currencies } from '../../values/kinds/codes.ts'
import { memoize } from '../../values/memoize.ts'

/** The currencies that a symbol, code or name may mean, the likeliest first; empty if it is none. */
export const currenciesOf = memoize((word: string): readonly string[] => {
  const key = comparable(word)
  const code = key.toUpperCase()
  if (key === '€') return EURO
  if (known.has(code)) return [code]
  return words('all').get(key) ?? []
}, 1024)

const EURO = ['EUR']
const known: ReadonlySet<string> = new Set(currencies)

const comparable = (word: string): string => fold(word).replaceAll(/[\p{White_Space}.'-]/gu, '')

/** Names of currencies that do not say of which country: as ambiguous as the symbol. */
const called: { readonly [word: string]: string } = {
  ...{
    dollar: '$',
    dollars: '$',
    dolar: '$',
    dolares: '$',
    pound: '£',
    pounds: '£',
    pfund: '£',
    livre: '£',
    libra: '£',
  },
}

/** Every symbol and name in every language. It takes a tenth of a second, and few files need it. */
const words = memoize((_all: 'all'): ReadonlyMap<string, readonly string[]> => {
  // The Swiss write their francs so, and Intl knows no symbol for them.
  const found = new Map([
    ['sfr', ['CHF']],
    ['fr', ['CHF']],
  ] as readonly [string, readonly string[]][])
  const add = (word: string, code: string): void => {
    const codes = found.get(word) ?? []
    if (!codes.includes(code)) found.set(word, [...codes, code])
  }
  // In English only one currency has the bare symbol: it comes first.
  for (const code of currencies) add(comparable(symbol('en', code, 'symbol')), code)
  for (const code of currencies) add(comparable(symbol('en', code, 'narrowSymbol')), code)
  for (const language of languages.keys()) {
    const names = new Intl.DisplayNames(language, { type: 'currency' })
    for (const code of currencies) {
      const name = comparable(names.of(code) ?? code)
      for (const word of [comparable(symbol(language, code, 'symbol')), name, `${name}s`]) add(word, code)
    }
  }
  for (const [word, same] of Object.entries(called)) found.set(word, found.get(same) ?? [])
  // `5k` is five thousand.
  found.delete('k')
  return found
})

function symbol(language: string, currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}
