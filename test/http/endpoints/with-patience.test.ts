import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { StreamEnded, withPatience } from '../../../src/http/endpoints/batches/with-patience.ts'

test('a stream ends after 15 seconds without a byte, and not while some come', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const incoming = new PassThrough()
  const bytes = withPatience(incoming, { stopping: false })
  for (const part of ['one', 'two']) {
    const next = bytes.next()
    t.mock.timers.tick(14_500)
    incoming.write(part)
    assert.equal(String((await next).value), part)
  }
  const ended = assert.rejects(bytes.next(), (cause) => {
    assert.ok(cause instanceof StreamEnded)
    assert.deepEqual(
      [cause.problem.code, cause.problem.detail],
      ['malformed-request', 'Nothing was sent for 15 seconds.'],
    )
    return true
  })
  t.mock.timers.tick(15_000)
  await ended
})
