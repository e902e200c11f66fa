import { languages } from '../../../src/languages/language.ts'

/** A language that puts brackets around everything that is said in it. */
export const PSEUDO = 'en-XA'

class Bracketed extends Map<string, string> {
  override has(): boolean {
    return true
  }
  override get(text: string): string {
    return text.includes('⟦') ? text : `⟦${text.split('|', 1)[0]}⟧`
  }
}

const pseudo = { tag: PSEUDO, texts: new Bracketed() }

/** Services of this process know it until it is removed. */
export const addPseudoLanguage = (): unknown => languages.set(PSEUDO, () => pseudo)
export const removePseudoLanguage = (): unknown => languages.delete(PSEUDO)
