import { problemTypes } from '../../src/http/contract/problems/problem-types.ts'
import { anybody } from '../../src/languages/reader.ts'
import { buildSchema } from '../../src/model/schema/build-schema.ts'
import { faultCodes, KEPT } from '../../src/values/faults/fault-codes.ts'

const opening = `# Problems

Every answer that refuses a request is a problem document (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`,
\`instance\` and, where single parts of the request are at fault, \`errors\` with a \`pointer\`, \`parameter\` or \`header\` each.
\`code\` is stable; \`type\` is an address of the service that shows its section here.

Each of \`errors\` has a \`code\` and its facts \`with\`, which are stable too: [Faults](#faults) has them all. Sentences are for
people and may change.

\`npm run generate\` writes this page from \`src/http/contract/problems/problem-types.ts\`, \`src/values/faults/fault-codes.ts\` and
\`src/languages/texts/en.json\`.
`

const faults = `
## Faults

The faults of a part of the request: the code, its possible facts, and its sentence.
Where there are several sentences, the facts decide. A refusal that an earlier release kept has no code.

| code | with | sentence |
|---|---|---|
`

/** docs/errors.md: a section for each problem, in the order of the table. */
export function errorsPage(): string {
  const sections = Object.entries(problemTypes(buildSchema())).map(
    ([code, { status, title, meaning, remedy }]) =>
      `\n## ${code}\n\n**${status}** ${title}\n\n${meaning}\n\nWhat to do: ${remedy}\n`,
  )
  const rows = Object.entries(faultCodes).flatMap((each) => (each[0] === KEPT ? [] : faultRows(each)))
  return [opening, ...sections, faults, ...rows].join('')
}

/** A row for each form of the sentence, with the facts that it is made of or that it leaves to programs. */
function faultRows([code, facts]: readonly [string, readonly string[]]): readonly string[] {
  const text = anybody.language.texts.get(`fault.${code}`) ?? ''
  const forms = typeof text === 'string' ? { other: text } : text
  const all = Object.values(forms).join()
  return Object.entries(forms).map(([form, sentence]) => {
    const isWanted = form !== 'other' && !facts.includes(form)
    const given = facts.flatMap((fact) => {
      if (fact === 'wants') return isWanted ? [`\`wants: "${form}"\``] : []
      return sentence.includes(`{${fact}}`) || !all.includes(`{${fact}}`) ? [`\`${fact}\``] : []
    })
    return `| \`${code}\` | ${given.join(', ')} | ${sentence.replaceAll('|', '\\|')} |\n`
  })
}
