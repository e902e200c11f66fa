import { currentReader } from './current-reader.ts'
import type { Language } from './language.ts'
import { fillPlaces } from './say.ts'

/** Marks texts that the service makes in English, for programs first, and that pages retell: faults and reasons. */
export const RETOLD = '|retold'

/**
 * A text that was made in English, in the reader's language; undefined where that language does not know it. What was
 * filled into its places is retold too, where it can be.
 */
export function retold(text: string): string | undefined {
  const { language } = currentReader()
  if (language.tag === 'en') return text
  const whole = language.texts.get(text) ?? language.texts.get(text + RETOLD)
  if (typeof whole === 'string') return whole
  for (const { shape, template } of templatesIn(language)) {
    const places = shape.exec(text)?.groups
    if (places === undefined) continue
    return fillPlaces(template, (name) => filled(places[`place${name}`] ?? '')).join('')
  }
  return undefined
}

const filled = (text: string): string => (text === '' ? '' : (retold(text) ?? text))

interface ToldTemplate {
  readonly shape: RegExp
  /** Its translation. */
  readonly template: string
}

const known = new WeakMap<Language, readonly ToldTemplate[]>()

function templatesIn(language: Language): readonly ToldTemplate[] {
  const templates = known.get(language) ?? readTemplates(language)
  known.set(language, templates)
  return templates
}

/** The one with the most words of its own comes first. */
function readTemplates({ texts }: Language): readonly ToldTemplate[] {
  return [...texts]
    .flatMap(([key, translation]) => {
      if (!key.endsWith(RETOLD) || !key.includes('{') || typeof translation !== 'string') return []
      const text = key.slice(0, -RETOLD.length)
      const parts = fillPlaces(text, (name) => ({ name }))
      const pattern = parts.map((part) =>
        typeof part === 'string' ? RegExp.escape(part) : `(?<place${part.name}>.*?)`,
      )
      const own = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0)
      return [{ shape: new RegExp(`^${pattern.join('')}$`, 's'), template: translation, own }]
    })
    .toSorted((a, b) => b.own - a.own)
}
