/**
 * A request to a service of another process, with its body as JSON. It has a connection of its own: one that rested may
 * be closed at the other end when a busy machine comes to use it.
 */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const own = { connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  const sent = { headers: own, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(url, { method, ...sent })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
