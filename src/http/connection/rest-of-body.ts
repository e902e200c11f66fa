import type { IncomingMessage } from 'node:http'
import { patientTimer } from '../../values/patient-timer.ts'

/** Milliseconds and bytes that a refusal waits for. */
const [LINGER, MOST] = [1000, 8 * 2 ** 20]

/**
 * Answers a client that wants its connection closed when what it still sends has come, up to a bound: a connection that
 * is closed before takes the answer with it. RFC 9112 §9.6
 */
export function afterRest(request: IncomingMessage, answer: () => void): void {
  const { connection, expect } = request.headers
  // Nothing comes from a client that waits to be let.
  if (request.complete || expect !== undefined || !/\bclose\b/i.test(connection ?? '')) return answer()
  let left = MOST
  const finish = (): void => {
    stop()
    request.off('data', count).off('end', finish).off('close', finish)
    answer()
  }
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) finish()
  }
  const stop = patientTimer(LINGER, finish)
  request.on('data', count).once('end', finish).once('close', finish).resume()
}
