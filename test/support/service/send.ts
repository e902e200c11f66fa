/** A request to a service of another process, with its body as JSON. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const type = { 'content-type': 'application/json' }
  const sent = body === undefined ? { headers } : { body: JSON.stringify(body), headers: { ...type, ...headers } }
  const answer = await fetch(url, { method, ...sent })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
