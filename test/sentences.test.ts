import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

// Values, model, queries and store speak in codes and facts; their sentences are in `languages`.

const src = join(import.meta.dirname, '../src')

/** Texts, and whatever else could be taken for one: comments and regular expressions, which have no group. */
const comment = String.raw`/\*[\s\S]*?\*/|(?<!:)//[^\n]*`
const expression = String.raw`(?<=(?:[=(,:[!&|?{};>]|\breturn)\s*)/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/`
const text = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|\u0060((?:[^\u0060\\]|\\.)*)\u0060`
const written = new RegExp(`${comment}|${expression}|${text}`, 'g')

/** A verb with a word beside it, or half a sentence that faults have had. */
const sentence =
  /[\p{L}\d})\]]['"]? (?:is|are|was|were|has|have|must|may|can|cannot|could|would|does|did)\b|(?:^|[\p{L}\d})\]]['"]? )(?:be|is|are|was|has|have|must|may|cannot|could|would|does|did|needs|expected|takes|names|gives|goes|lies|says|begins|ends|contains|exceeds|belongs|compares|nests|stands|allows|refuses|ignores) [\p{L}\d{"'([]|\b(?:such as|did you mean)\b/u

const sql = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|AND|FROM) /

/** What a text may be: thrown, logged, or what a declaration says of itself, which is the key of its translations. */
const exempt = [
  // An error's message.
  /\bnew \w+\(\s*$|\b(?:super|onNote|onStep\?*\.?|warn|log)\($/,
  // The declared title, sentence and description of a thing.
  /\b(?:title|summary|description|note|again|done|label): (?:\([^)]*\) =>\s*)?$/,
]

/** Files that speak to whoever runs the service: at the start, in the log, in `doctor` and in errors. */
const operating = [
  /^store\/(open|port\/(examination|opening))\.ts$/,
  /^store\/(sqlite|postgres)\/(connect|operate|schema)\//,
  /^store\/sqlite\/(open|write\/(group-commit|transactions|writer))\.ts$/,
  /^store\/work\/imports\/imports\.ts$/,
]

interface Found {
  readonly line: number
  readonly text: string
}

function sentencesIn(source: string): readonly Found[] {
  return [...source.matchAll(written)].flatMap(({ 0: whole, 1: single, 2: double, 3: template, index }) => {
    const text = (single ?? double ?? template)?.replaceAll(/\$\{[^}]*\}/g, '{}')
    if (text === undefined || !sentence.test(text) || sql.test(text)) return []
    const before = source.slice(Math.max(0, index - 80), index)
    if (exempt.some((each) => each.test(before))) return []
    return [{ line: source.slice(0, index).split('\n').length, text: whole }]
  })
}

suite('the sentences', () => {
  test('of faults, reasons and refusals are in the language files', () => {
    const found = globSync('{values,model,queries,store}/**/*.ts', { cwd: src })
      .filter((file) => !operating.some((each) => each.test(file)))
      .flatMap((file) =>
        sentencesIn(readFileSync(join(src, file), 'utf8')).map(({ line, text }) => `src/${file}:${line} ${text}`),
      )
    assert.deepEqual(found, [])
  })

  test('are found where somebody writes one', () => {
    const sentences = [
      "return { fault: 'must be blue' }",
      'const detail = `names \u0024{to} \u0024{id}, which does not exist`',
      'detail: `is set when the \u0024{name} is created`',
      "reason: () => 'the deal is on hold'",
      'refused(reader, "takes one value")',
    ]
    for (const each of sentences) assert.equal(sentencesIn(each).length, 1, each)
    const others = [
      "throw new Error('there is no store')",
      "{ title: 'What is owed' }",
      "// it's what is told",
      '`SELECT id FROM deals WHERE name IS NULL`',
      "const states = ['open', 'is']",
    ]
    for (const each of others) assert.deepEqual(sentencesIn(each), [], each)
  })
})

/** Turns of phrase that strangers read twice, in comments and documents, and what to write instead. */
const avoided: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'the caller, the user, a client'],
  [/\bso many\b(?! \w+ that)/i, 'this many'],
  [/\bbeside\b/i, 'next to, in addition to, while'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'forever'],
  [/\btold\b/i, 'reported, shown, logged'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\bcomes? to\b/i, 'is, results in'],
  [/\bheed(?:s|ed)?\b/i, 'respect'],
  [/\bstands? (?:at|before|behind|within|around)\b/i, 'is'],
]

/** A comment names its subject first. */
const withoutSubject: (typeof avoided)[number] = [
  /^(?:What|Who) (?!happen|went wrong|was done|follows)/,
  'its noun first',
]

/** The phrases of a text, apart from code and addresses in it. */
const avoidedIn = (text: string, phrases = avoided): readonly string[] =>
  phrases.flatMap(([phrase, instead]) => {
    const found = phrase.exec(text.replaceAll(/`[^`]*`|https?:\S+/g, '`'))
    return found ? [`"${found[0]}" (${instead})`] : []
  })

const avoidedInComment = (comment: string): readonly string[] => avoidedIn(comment, [...avoided, withoutSubject])

const lines = String.raw`(?:(?<!:)//[^\n]*(?:\n\s*(?=//))?)+`

/** Each comment of a source, without its signs. */
const commentsIn = (source: string): readonly string[] =>
  [...source.matchAll(new RegExp(`/\\*[\\s\\S]*?\\*/|${lines}|${expression}|${text}`, 'g'))]
    .filter(([whole]) => /^\/[/*]/.test(whole))
    .map(([whole]) =>
      whole
        .replaceAll(/^\/\*+|\*\/$|^\s*(?:\*(?!\/)|\/\/)/gm, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )

suite('the words', () => {
  const root = join(src, '..')

  test('of comments are those of a colleague', () => {
    const found = globSync('**/*.{ts,js}', { cwd: src }).flatMap((file) =>
      commentsIn(readFileSync(join(src, file), 'utf8')).flatMap((comment) =>
        avoidedInComment(comment).map((phrase) => `src/${file}: ${phrase} in: ${comment}`),
      ),
    )
    assert.deepEqual(found, [])
  })

  test('of documents are those of a colleague', () => {
    const found = globSync('{*.md,docs/**/*.md,test/*.md}', { cwd: root }).flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .replaceAll(/\]\([^)]*\)/g, ']')
        .split('\n')
        .filter((line) => !/^(?:[#>|]|What to do:)/.test(line))
        .flatMap((line) => avoidedIn(line).map((phrase) => `${file}: ${phrase} in: ${line}`)),
    )
    assert.deepEqual(found, [])
  })

  test('are found where somebody writes one', () => {
    const comments = [
      '// What was read, and is held',
      '/** Waits beside the others. */',
      '// The reader,\n  // whoever that is',
      '/**\n * A text that is told\n * to people.\n */',
    ]
    for (const each of comments) assert.equal(commentsIn(each).flatMap(avoidedInComment).length, 1, each)
    const others = [
      "const text = '// What is it'",
      '// See https://example.com/beside',
      '/** The view `told_events`. */',
    ]
    for (const each of others) assert.deepEqual(commentsIn(each).flatMap(avoidedInComment), [], each)
  })
})
