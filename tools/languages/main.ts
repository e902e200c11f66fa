import { languages } from '../../src/languages/language.ts'
import { saidTexts } from './said-texts.ts'

// Lists the texts that each language lacks, and those that no page says any more.

const said = saidTexts()
for (const [tag, language] of languages) {
  if (tag === 'en') continue
  const { texts } = language()
  for (const text of said) if (!texts.has(text)) process.stdout.write(`${tag} lacks ${JSON.stringify(text)}\n`)
  for (const text of texts.keys())
    if (!said.has(text)) process.stdout.write(`${tag} has a text that is not said: ${JSON.stringify(text)}\n`)
}
