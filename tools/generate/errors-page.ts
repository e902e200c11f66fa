import { problemTypes } from '../../src/http/respond/problems/problem-types.ts'

const opening = `# Problems

Every answer that refuses a request is a problem document (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`,
\`instance\` and, where single parts of the request are at fault, \`errors\` with a \`pointer\`, \`parameter\` or \`header\` each.
\`code\` is stable; \`type\` is an address of the service that shows what stands here.

\`npm run generate\` writes this page from \`src/http/respond/problems/problem-types.ts\`.
`

/** docs/errors.md: a section for each problem, in the order of the table. */
export function errorsPage(): string {
  const sections = Object.entries(problemTypes).map(
    ([code, { status, title, meaning, remedy }]) =>
      `\n## ${code}\n\n**${status}** ${title}\n\n${meaning}\n\nWhat to do: ${remedy}\n`,
  )
  return [opening, ...sections].join('')
}
