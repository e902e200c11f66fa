import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { basic } from '../service/closed-service.ts'
import type { TestService } from '../service/running-service.ts'
import { type Desk, submit } from './desk.ts'
import type { Reading } from './ways.ts'

/** Who sells in the stories, and how they are called in full. */
export const SELLER = 'carla'
export const FULL_NAME = 'Carla Núñez'
const headers = basic(SELLER)

/** A seller at work, in one language, with or without script. */
export interface Seller extends Reading {
  readonly page: Page
  readonly service: TestService
  readonly german: boolean
  /** Asks as a program of theirs would. */
  readonly request: TestService['request']
  /** Makes a thing past the pages, and gives its id. */
  made(path: string, body: object): Promise<string | number>
  visit(path: string): Promise<void>
  /** Sends the form of a button, whatever its language calls it. */
  send(button: Locator): Promise<void>
}

/** What a seller does. The name of the reading tells the things of one from those of another. */
export type Story = (seller: Seller) => Promise<void>
export interface Stories {
  readonly [does: string]: Story
}

export async function tell(story: Story, { name, ...options }: Reading, { service, open, close }: Desk): Promise<void> {
  const page = await open('/search', { ...options, extraHTTPHeaders: headers })
  const request: TestService['request'] = (method, path, more = {}) =>
    service.request(method, path, { ...more, headers: { ...headers, ...more.headers } })
  await story({
    ...{ name, ...options, page, service, request, german: options.locale === 'de-DE' },
    async made(path, body) {
      const answer = await request('POST', path, { body })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.id as string
    },
    visit: async (path) => {
      await page.goto(service.url + path)
    },
    send: async (button) => submit(page, await button.innerText()),
  })
  await close(page)
}
