import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { languages } from '../../src/languages/language.ts'
import { saidTexts } from '../../tools/languages/said-texts.ts'

const said = saidTexts()

const placesIn = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

for (const [tag, language] of languages) {
  suite(`the texts in ${tag}`, () => {
    const { texts } = language()

    test('are all of those that pages say, and no others', { skip: tag === 'en' }, () => {
      assert.deepEqual([...texts.keys()].toSorted(), [...said].toSorted())
    })

    test('are of texts that pages say', () => {
      assert.deepEqual(
        [...texts.keys()].filter((text) => !said.has(text)),
        [],
      )
    })

    test('have the places of the English ones', () => {
      for (const [text, translation] of texts) {
        const forms = typeof translation === 'string' ? [translation] : Object.values(translation)
        for (const form of forms) {
          assert.deepEqual(
            placesIn(form).filter((place) => place !== '{count}'),
            placesIn(text).filter((place) => place !== '{count}'),
            text,
          )
        }
      }
    })

    test('keep their signs on the line of the word', () => {
      const loose = [...texts.values()]
        .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
        .filter((text) => /(?<=«) | (?=[»;:!?])/.test(text))
      assert.deepEqual(loose, [])
    })

    test('have a form for each plural category of the language', () => {
      const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
      for (const [text, translation] of texts) {
        if (typeof translation === 'string') continue
        const needed = tag === 'en' ? ['one'] : categories.filter((category) => category !== 'many')
        assert.deepEqual(
          Object.keys(translation)
            .filter((each) => each !== 'many')
            .toSorted(),
          needed.toSorted(),
          text,
        )
      }
    })
  })
}
