import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { carrying } from '../../src/representations/representations.ts'
import { memberIn } from '../../src/values/members.ts'
import { Difference } from './difference.ts'
import type { Document } from './known-things.ts'
import type { Answer, Side } from './sides.ts'
import type { Story } from './story.ts'

/** Compares what both tell of everything, and with what was seen before. */
export async function lookAtAll(story: Story): Promise<undefined> {
  for (const { database } of story.sides) await database.settled()
  await lookAtLists(story)
  await lookAtFeed(story)
  await lookAtPast(story)
}

/** Every list is the same in every representation, and has each thing as it was seen last. */
async function lookAtLists(story: Story): Promise<void> {
  for (const resource of story.schema.resources) {
    const { path } = resource
    for (const { name } of carrying('page')) {
      // What people see has the instants of the moment; a sheet is compared as it is imported.
      if (name === 'html' || name === 'xlsx') continue
      const { status, text } = await story.ask({ method: 'GET', path: `${path}.${name}?maxpagesize=1000` })
      if (name === 'json' && status === 200)
        for (const shown of JSON.parse(text).items) await mustBeLatest(story, resource, shown)
    }
  }
}

async function mustBeLatest(story: Story, { kinds }: Resource, shown: Document): Promise<void> {
  const { known } = story
  const name = String(shown.id)
  const fault = known.differs(name, shown)
  if (fault !== undefined) throw new Difference(`in its list ${fault}`)
  const revision = known.get(name)?.latest?.revision
  if (revision !== undefined && revision !== shown.revision)
    throw new Difference(`in its list ${name} has revision ${shown.revision}, and was seen in ${revision}`)
  for (const [field, { refersTo }] of Object.entries(kinds)) {
    const other = refersTo === undefined ? undefined : known.get(String(memberIn(shown, field)))
    if (other === undefined || other.latest !== undefined) continue
    const { status } = await story.ask({ method: 'GET', path: `${other.path}/${other.name}` })
    // A deleted deal can be restored.
    if (status === 404) throw new Difference(`${field} of ${name} names ${other.name}, which is gone`)
  }
}

interface FeedEvent {
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of both are the same, and what each says of its thing is what was seen after it. */
async function lookAtFeed(story: Story): Promise<void> {
  const { text } = await story.ask({ method: 'GET', path: '/events.ndjson' })
  const names = new Set(story.schema.resources.map(({ name }) => name))
  for (const line of text.split('\n').filter(Boolean)) {
    const { subject, data } = JSON.parse(line) as FeedEvent
    for (const [member, shown] of Object.entries(data)) {
      if (!names.has(member) || typeof shown !== 'object' || shown === null) continue
      const fault = story.known.differs(subject, shown as Document)
      if (fault !== undefined) throw new Difference(`in the feed ${fault}`)
    }
  }
}

/** A revision of the past is as it was seen, and so is what was at an instant, unless another is of the same one. */
async function lookAtPast(story: Story): Promise<void> {
  for (const { name, path, documents, latest } of story.known.all) {
    const last = Number(latest?.revision)
    const revision = [...documents.keys()].findLast((each) => each < last)
    if (revision === undefined) continue
    const asked = { method: 'GET', path: `${path}/${name}?revision=${revision}` }
    const answers = await story.eachAsk(asked)
    const { status, text } = story.compared(asked, answers[0] as Answer, answers[1] as Answer)
    if (status !== 200) continue
    const fault = story.known.differs(name, JSON.parse(text))
    if (fault !== undefined) throw new Difference(`read again, ${fault}`)
    for (const [at, answer] of answers.entries()) await lookBehind(story, at, `${path}/${name}`, answer)
  }
}

/** What was at the instant of a revision is that one, or a later one of the same instant. */
async function lookBehind(story: Story, at: number, path: string, { text }: Answer): Promise<void> {
  const [side, was] = [story.sides[at] as Side, JSON.parse(text)]
  const asked = story.filled({ method: 'GET', path: `${path}?asOf=${was.updatedAt}` }, at)
  const then = await side.ask(asked)
  // An import of customers tells nothing of each.
  if (then.text.includes('"code":"revision-not-found"')) return
  const shown = then.status === 200 ? JSON.parse(then.text) : {}
  if (shown.revision > was.revision && shown.updatedAt === was.updatedAt) return
  if (!isDeepStrictEqual({ ...shown, links: 0 }, { ...was, links: 0 }))
    throw new Difference(`${side.store}: ${path} as of its revision ${was.revision} was`, then.text, text)
}
