import { isDeepStrictEqual } from 'node:util'
import { Difference } from './difference.ts'
import type { Document } from './known-things.ts'
import type { Story } from './story.ts'

/** Compares what both tell of everything, and with what was seen before. */
export async function lookAtAll(story: Story): Promise<undefined> {
  for (const { database } of story.sides) await database.settled()
  await lookAtFeed(story)
  await lookAtPast(story)
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

/** A revision of the past is as it was seen. */
async function lookAtPast(story: Story): Promise<void> {
  for (const { name, path, documents, latest } of story.known.all) {
    if (latest === undefined) continue
    const now = await story.ask({ method: 'GET', path: `${path}/${name}` })
    if (now.status === 200 && !isDeepStrictEqual(JSON.parse(now.text).revision, latest.revision))
      throw new Difference(`${name} has another revision than it was seen in: ${now.text}`)
    await lookBehind(story, path, name)
    const revisions = [...documents.keys()]
    for (const revision of revisions.slice(-3)) {
      const past = await story.ask({ method: 'GET', path: `${path}/${name}?revision=${revision}` })
      if (past.status !== 200) continue
      const fault = story.known.differs(name, JSON.parse(past.text))
      if (fault !== undefined) throw new Difference(`read again, ${fault}`)
    }
  }
}

/** What was at an instant is what was recorded then, unless two revisions are of the same one. */
async function lookBehind(story: Story, path: string, name: string): Promise<void> {
  for (const [at, side] of story.sides.entries()) {
    const ask = async (query: string) => {
      const asked = story.filled({ method: 'GET', path: `${path}/${name}${query}` }, at)
      const { status, text } = await side.ask(asked)
      return status === 200 ? JSON.parse(text) : undefined
    }
    const now = await ask('')
    const before = now && (await ask(`?revision=${now.revision - 1}`))
    if (before === undefined || before.updatedAt === now.updatedAt) continue
    const then = await ask(`?asOf=${before.updatedAt}`)
    if (!isDeepStrictEqual({ ...then, links: 0 }, { ...before, links: 0 }))
      throw new Difference(
        `${side.store}: as of ${before.updatedAt} ${name} was`,
        JSON.stringify(then),
        JSON.stringify(before),
      )
  }
}
