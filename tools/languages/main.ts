import { languages } from '../../src/languages/language.ts'
import { hasKey, saidTexts } from './said-texts.ts'

// Lists the texts that each language lacks, and those that no page uses any more.

const said = saidTexts()
for (const [tag, language] of languages) {
  if (tag === 'en') continue
  const { texts } = language()
  for (const text of said) if (!texts.has(text)) process.stdout.write(`${tag} lacks ${JSON.stringify(text)}\n`)
  for (const text of texts.keys())
    if (!said.has(text) && !hasKey(text)) process.stdout.write(`${tag} has an unused text: ${JSON.stringify(text)}\n`)
}
