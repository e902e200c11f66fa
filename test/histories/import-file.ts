import { setTimeout as pause } from 'node:timers/promises'
import { Difference } from './difference.ts'
import { comparable, type Names } from './names.ts'
import type { Answer, Side } from './sides.ts'
import type { Importing } from './step.ts'
import type { Story, Told } from './story.ts'

/** Uploads a file to both, lets it be checked, imports it, and undoes that: each as far as the step says. */
export async function importFile(story: Story, step: Importing): Promise<Told> {
  const files = await filesOf(story, step)
  const path = `/imports?on=${step.on}${step.parameters}`
  const [one, other] = await Promise.all(
    story.sides.map((side, at) =>
      side.ask({ method: 'POST', path, headers: { 'content-type': step.type }, body: files[at] ?? '' }),
    ),
  )
  const asked = { method: 'POST', path }
  const uploaded = story.compared(asked, withoutProgress(one as Answer), withoutProgress(other as Answer))
  if (uploaded.status !== 201) return uploaded
  const { id } = JSON.parse(uploaded.text) as { readonly id: string }
  let told = await settled(story, `/imports/${id}`)
  if (!told.text.includes('"stage":"ready"')) return told
  await begun(story, { method: 'POST', path: `/imports/${id}/runs` })
  told = await settled(story, `/imports/${id}`)
  if (step.until === 'imported') return told
  return begun(story, { method: 'POST', path: `/imports/${id}/undoings` })
}

/** The same for both, or what each of them exports. */
async function filesOf({ sides, names }: Story, { file, on }: Importing): Promise<readonly Buffer[]> {
  return Promise.all(
    sides.map(async (side, at) => {
      if ('text' in file) return Buffer.from((names[at] as Names).filled(file.text))
      const { status, text, headers } = await side.ask({ method: 'GET', path: file.exportedAt })
      if (status !== 200) throw new Difference(`${side.store} does not export its ${on}s: ${status} ${text}`)
      return Buffer.from(text, /spreadsheetml/.test(String(headers['content-type'])) ? 'latin1' : 'utf8')
    }),
  )
}

const begun = async ({ sides, names }: Story, asked: { readonly method: string; readonly path: string }) => {
  const said = await Promise.all(
    sides.map((side, at) => side.ask({ ...asked, path: (names[at] as Names).filled(asked.path) })),
  )
  const [one, other] = said.map((each, at) => comparable(withoutProgress(each), names[at] as Names))
  if (one !== other) throw new Difference(`${asked.method} ${asked.path} is answered differently`, one, other)
  const [answer] = said as unknown as readonly [Answer]
  if (answer.status >= 500) throw new Difference(`${asked.method} ${asked.path} failed: ${answer.text}`)
  return { ...answer, text: one ?? '' }
}

/** What an import shows while it is under way depends on how far it is. */
function withoutProgress(answer: Answer): Answer {
  if (answer.status >= 400) return answer
  const [id] = /"id":"[^"]*"/.exec(answer.text) ?? []
  return { ...answer, headers: {}, text: `{${id}}` }
}

/** As it is shown when nothing is under way any more. */
async function settled(story: Story, path: string): Promise<Told> {
  const shown = await Promise.all(story.sides.map((side, at) => rest(side, (story.names[at] as Names).filled(path))))
  const [one, other] = shown as unknown as readonly [Answer, Answer]
  return story.compared({ method: 'GET', path }, one, other)
}

async function rest(side: Side, path: string): Promise<Answer> {
  for (;;) {
    const answer = await side.ask({ method: 'GET', path })
    if (!answer.text.includes('"isRunning":true')) return answer
    await pause(3)
  }
}
