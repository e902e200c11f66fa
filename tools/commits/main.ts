import { text } from 'node:stream/consumers'

// Names the subjects on standard input that are not as CONTRIBUTING.md asks:
//   git log --no-merges --format=%s origin/main..HEAD | npm run -s commits

const LONGEST = 72
const form = /^(?:add|change|fix|remove|refactor|test|docs)(?:\([\w., -]+\))?: \S/

const subjects = (await text(process.stdin)).split('\n').filter((subject) => subject !== '')
for (const subject of subjects) {
  const { length } = Array.from(subject)
  const isTooLong = length > LONGEST
  if (!isTooLong && form.test(subject)) continue
  const why = isTooLong ? `it has ${length} characters, ${LONGEST} at most` : 'it is no `fix(scope): outcome`'
  process.stderr.write(`${subject}\n  ${why}\n`)
  process.exitCode = 1
}
