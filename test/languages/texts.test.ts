import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { languages, type TextForms } from '../../src/languages/language.ts'
import { anybody } from '../../src/languages/reader.ts'
import { tellIn } from '../../src/languages/tell.ts'
import type { Reason } from '../../src/values/faults/fault.ts'
import { type FaultCode, faultCodes, KEPT } from '../../src/values/faults/fault-codes.ts'
import { hasKey, saidTexts } from '../../tools/languages/said-texts.ts'

const said = saidTexts()

const placesIn = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

const formsOf = (text: string | TextForms): TextForms => (typeof text === 'string' ? { other: text } : text)

/** A refusal that an earlier release kept is an English sentence. */
const englishOnly = `fault.${KEPT}`

for (const [tag, language] of languages) {
  suite(`the texts in ${tag}`, () => {
    const { texts } = language()
    const own = new Map([...texts].filter(([text]) => !hasKey(text)))

    test('are all of those that pages say, and no others', { skip: tag === 'en' }, () => {
      assert.deepEqual([...own.keys()].toSorted(), [...said].toSorted())
    })

    test('are of texts that pages say', () => {
      assert.deepEqual(
        [...own.keys()].filter((text) => !said.has(text)),
        [],
      )
    })

    test('have the places of the English ones', () => {
      for (const [text, translation] of own) {
        for (const form of Object.values(formsOf(translation))) {
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
        .flatMap((text) => Object.values(formsOf(text)))
        .filter((text) => /(?<=«) | (?=[»;:!?](?![\w{]))/.test(text))
      assert.deepEqual(loose, [])
    })

    test('have a form for each plural category of the language', () => {
      const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
      for (const [text, translation] of own) {
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

    test('tell every fault as English does, with the same facts', () => {
      const english = [...anybody.language.texts].filter(([key]) => hasKey(key))
      const others = english.filter(([key]) => tag === 'en' || key !== englishOnly)
      assert.deepEqual([...texts.keys()].filter(hasKey).toSorted(), others.map(([key]) => key).toSorted())
      for (const [key, text] of others) {
        const placed = (forms: TextForms) => Object.entries(forms).map(([form, told]) => [form, placesIn(told)])
        assert.deepEqual(placed(formsOf(texts.get(key) ?? '')), placed(formsOf(text)), key)
      }
    })
  })
}

suite('one thing has one word', () => {
  /** Other words for a thing that each language names already. */
  const retired: { readonly [tag: string]: RegExp } = {
    en: /\b(?:completed|cancelled|is held|amercement)\b/i,
    de: /Geschäft|Kommando(?!zeile)|Kennung|Id\b(?!\})|Vorgang|[Pp]ausiert|[Ss]torniert|Prüfprotokoll|Abschlussdatum/,
    fr: /\b(?:envoi n|conclue|annulée)\b/i,
    es: /\b(?:completado|cancelado|en espera)\b/i,
  }
  /** What programs alone read, and deliveries. */
  const spared = /^(?:fault\.goes-with|Cancelled\|delivery)$/

  for (const [tag, words] of Object.entries(retired)) {
    test(`in ${tag}`, () => {
      const found = [...(languages.get(tag)?.().texts ?? [])].filter(
        ([key, text]) => !spared.test(key) && Object.values(formsOf(text)).some((form) => words.test(form)),
      )
      assert.deepEqual(found, [])
    })
  }
})

/** The faults that a source makes, with the names of their facts; without those whose facts are variables. */
function madeIn(source: string): readonly Reason[] {
  const makers =
    /(?:\b(?:fault|reason)\(\s*'(?<called>[\w-]+)'(?:\)|,\s*)|\bcode: '(?<code>[\w-]+)'(?: }|, at\b|, with: ))(?=(?<facts>{)?)/g
  return [...source.matchAll(makers)].flatMap(({ 0: maker, index, groups = {} }) => {
    const code = (groups.called ?? groups.code) as FaultCode
    if (groups.facts === undefined) return /\s$/.test(maker) ? [] : [{ code }]
    const facts = factsAt(source.slice(index + maker.length + 1))
    return facts.wants === VARIABLE ? [] : [{ code, with: facts }]
  })
}

const VARIABLE = '…'

/** The facts of a literal that begins with them, without those of a spread. */
function factsAt(rest: string): { readonly [name: string]: string } {
  let depth = 0
  let flat = ''
  for (const sign of rest) {
    if ('{[('.includes(sign)) depth++
    else if ('}])'.includes(sign)) depth--
    else if (depth === 0) flat += sign
    if (depth < 0) break
  }
  const facts = flat.split(',').flatMap((member) => {
    const [, name, text] = /^\s*(\w+)(?::\s*'([^']*)'\s*$)?/.exec(member) ?? []
    return name === undefined ? [] : [[name, text ?? VARIABLE] as const]
  })
  return Object.fromEntries(facts)
}

suite('a fault', () => {
  const { texts } = anybody.language

  test('has a sentence by its code, and a code for its sentence', () => {
    const told = [...texts.keys()].filter((key) => key.startsWith('fault.'))
    assert.deepEqual(
      told.toSorted(),
      Object.keys(faultCodes)
        .map((code) => `fault.${code}`)
        .toSorted(),
    )
  })

  test('has a code that something comes with', () => {
    const src = join(import.meta.dirname, '../../src')
    const sources = globSync('**/*.ts', { cwd: src, exclude: ['values/faults/fault-codes.ts'] })
    const written = sources.map((file) => readFileSync(join(src, file), 'utf8')).join('\n')
    assert.deepEqual(
      Object.keys(faultCodes).filter((code) => !written.includes(`'${code}'`)),
      [],
    )
  })

  test('has a sentence for the facts with which the source makes it', () => {
    const src = join(import.meta.dirname, '../../src')
    const made = globSync('**/*.ts', { cwd: src })
      .flatMap((file) => madeIn(readFileSync(join(src, file), 'utf8')))
      .filter(({ code }) => Object.hasOwn(faultCodes, code))
    assert.ok(made.length > 250)
    const isTold = (each: Reason): boolean => {
      const forms = texts.get(`fault.${each.code}`) ?? {}
      const wanted = each.with?.wants
      const hasForm = wanted === undefined || typeof forms === 'string' || Object.hasOwn(forms, String(wanted))
      return hasForm && tellIn(anybody.language, each) !== undefined
    }
    assert.deepEqual(
      made.filter((each) => !isTold(each)),
      [],
    )
  })

  test('is told with its facts alone, in forms that they choose', () => {
    for (const [code, facts] of Object.entries<readonly string[]>(faultCodes)) {
      const forms = formsOf(texts.get(`fault.${code}`) ?? '')
      for (const [form, sentence] of Object.entries(forms)) {
        for (const place of placesIn(sentence)) assert.ok(facts.includes(place.slice(1, -1)), `${code} has no ${place}`)
        const isPlural = form === 'one' && (facts.includes('count') || facts.includes('max'))
        const isChosen = form === 'other' || isPlural || facts.includes(form) || facts.includes('wants')
        assert.ok(isChosen, `nothing chooses the form ${form} of ${code}`)
      }
    }
  })
})
