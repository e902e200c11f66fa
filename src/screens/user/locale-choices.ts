import { languages } from '../../languages/language.ts'
import type { FieldChoice } from '../../representations/document.ts'

/** Regions with their own formats; a language that is not listed is offered without regions. */
const regions: { readonly [language: string]: readonly string[] } = {
  de: ['DE', 'AT', 'CH', 'LI', 'LU'],
  en: ['GB', 'US', 'AU', 'CA', 'IE', 'IN', 'NZ', 'ZA'],
  es: ['ES', 'AR', 'CL', 'CO', 'MX', 'PE', 'US'],
  fr: ['FR', 'BE', 'CA', 'CH', 'LU'],
}

/** The languages of pages, by their own names, each with its regions; and the current choice. */
export function localeChoices(chosen: string | null): readonly FieldChoice[] {
  const known = [...languages.keys()].flatMap((tag) => [
    tag,
    ...(regions[tag] ?? []).map((region) => `${tag}-${region}`),
  ])
  const all = chosen === null || known.includes(chosen) ? known : [chosen, ...known]
  return all.map((tag) => ({ value: tag, text: ownName(tag), lang: tag }))
}

/** `de-CH` as `Deutsch (Schweiz)`. */
function ownName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
