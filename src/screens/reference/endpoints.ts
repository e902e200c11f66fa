import { setImmediate } from 'node:timers/promises'
import type { Answer } from '../../http/contract/answer.ts'
import type { DescribedDoor } from '../../http/contract/described-door.ts'
import type { Call, Endpoint, Service } from '../../http/contract/endpoint.ts'
import { noSuch } from '../../http/contract/problems/problem.ts'
import { fixed } from '../../http/contract/success.ts'
import { fixedContent } from '../../http/negotiate/fixed-content.ts'
import { anybody } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { layout } from '../../representations/html/layout.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import { originOf } from '../shell/origin.ts'
import { referenceName } from './requests.ts'

const open = { method: 'GET', role: 'public', offers: 'content' } as const
const page = fixed('text/html', 'A page.')

/** The reference for people. Built, and its modules loaded, at the first request. */
export function referenceEndpoints(
  schema: Schema,
  all: () => readonly Endpoint[],
  doors: readonly string[],
): readonly Endpoint[] {
  // Its samples have the address at which the reader reaches the service; a few of these are usual.
  const overview = onceFor((service: Service) =>
    memoize(async (origin: string) => {
      const { overviewPage } = await import('./overview-page.ts')
      await setImmediate()
      const main = overviewPage(schema, all(), service.doors, service.addresses.base, origin)
      return reference('Reference', main, service)
    }, MOST_ORIGINS),
  )
  const doorPages = onceFor((service: Service) =>
    memoize(async (name: string, door: DescribedDoor) => {
      const { doorPage } = await import('./door-page.ts')
      const [origin = ''] = name.split(' ')
      return reference(door.title, doorPage(door, schema, service.addresses.base, origin), service)
    }, MOST_ORIGINS * doors.length),
  )
  const operationPages = onceFor((service: Service) =>
    memoize(async (_name, operation: Operation) => {
      const { operationPage } = await import('./operation-page.ts')
      return reference(operation.title, operationPage(operation, `${service.addresses.base}/docs`), service)
    }),
  )
  const parts = onceFor(async (service: Service) => {
    const { partsPage } = await import('./parts-page.ts')
    return reference('Reference', partsPage(), service)
  })
  return [
    {
      ...open,
      path: '/docs',
      types: ['text/html'],
      summary: 'This interface, for people',
      describes: { group: 'Service', answers: [page] },
      handle: (call) => overview(call.service)(originOf(call)),
    },
    {
      ...open,
      path: '/docs/parts',
      types: ['text/html'],
      summary: 'The parts that pages are made of',
      describes: { group: 'Service', answers: [page] },
      handle: ({ service }) => parts(service),
    },
    {
      ...open,
      path: '/docs/:operation',
      types: ['text/html'],
      summary: 'An operation in every form',
      describes: {
        group: 'Service',
        answers: [
          page,
          { status: 303, headers: ['Location'], when: 'The name of a door: its page is below /docs/doors.' },
        ],
        refuses: ['not-found'],
        parameter: {
          description: 'The operation.',
          schema: { type: 'string', enum: referenceNames(schema) },
          example: 'hold',
        },
      },
      handle: (call) => readOperation(call, operationPages(call.service)),
    },
    {
      ...open,
      path: '/docs/doors/:door',
      types: ['text/html'],
      summary: 'A door: another protocol',
      describes: {
        group: 'Service',
        answers: [page],
        refuses: ['not-found'],
        parameter: {
          description: 'The door.',
          schema: { type: 'string', enum: doors },
          example: 'rpc',
        },
      },
      handle: (call) => readDoor(call, doorPages(call.service)),
    },
  ]
}

/** The most addresses of the service for which pages are cached. */
const MOST_ORIGINS = 4

const referenceNames = ({ operations }: Schema): readonly string[] => operations.map(referenceName)

type Pages<T> = (name: string, of: T) => Promise<Answer>

async function readOperation(call: Call, pages: Pages<Operation>): Promise<Answer> {
  const name = call.params.operation ?? ''
  const operation = call.schema.operations.find((each) => referenceName(each) === name)
  if (operation === undefined) {
    const { addresses, doors } = call.service
    if (doors.some((each) => each.name === name)) {
      return { status: 303, headers: { location: `${addresses.base}/docs/doors/${name}` } }
    }
    return {
      problem: { code: 'not-found', detail: noSuch('operation', name, nearest(name, referenceNames(call.schema))) },
    }
  }
  return pages(name, operation)
}

async function readDoor(call: Call, pages: Pages<DescribedDoor>): Promise<Answer> {
  const name = call.params.door ?? ''
  const open = call.service.doors
  const door = open.find((each) => each.name === name)
  if (door !== undefined) return pages(`${originOf(call)} ${name}`, door)
  const near = nearest(
    name,
    open.map((each) => each.name),
  )
  return { problem: { code: 'not-found', detail: noSuch('open door', name, near) } }
}

/** How many variants of each page are cached. */
const MOST_BARS = 4

/** A page without other representations. Its navigation bar depends on the reader. */
function reference(title: string, main: Markup, { htmlHeaders }: Service): Answer {
  // Developers read it, in the language of the API.
  const whole = html`<div lang="en"><h1>${title}</h1>\n${main}</div>`.readBy(anybody)
  const known = memoize(fixedContent, MOST_BARS, Number.POSITIVE_INFINITY)
  return {
    fixed: (context) => known(layout(say(title), whole, context).for(context.reader)),
    contentType: 'text/html; charset=utf-8',
    headers: htmlHeaders,
  }
}
