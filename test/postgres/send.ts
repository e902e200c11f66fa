/** A request to a service of another process, with its body as JSON. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
): Promise<{ status: number; text: string; headers: Headers }> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(url, { method, ...sent })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
