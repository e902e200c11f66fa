/** Signs in at the provider as a browser does, without one; gives the query with which it sends the person back. */
export async function signInAt(address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [url, body] = [address, undefined as URLSearchParams | undefined]
  for (let hop = 0; hop < 10; hop++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((each) => each.join('=')).join('; ') },
      ...(body && { method: 'POST', body }),
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    body = location === null ? new URLSearchParams({ login }) : undefined
    if (location === null && response.status !== 200)
      throw new Error(`${url}: ${response.status} ${await response.text()}`)
    if (location !== null) url = new URL(location, url).href
    const { pathname, search } = new URL(url)
    if (pathname.endsWith('/sign-in/callback')) return search.slice(1)
  }
  throw new Error('the provider never sends the person back')
}
