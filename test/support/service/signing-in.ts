import type { Answered, TestService } from './running-service.ts'

type Headers = { readonly [name: string]: string }

/** What a browser asks for. */
export const asPerson = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Sends the sign-in page's form. */
export const signIn = (
  service: Pick<TestService, 'request'>,
  name: string,
  fields: { readonly [name: string]: string } = {},
  headers: Headers = {},
): Promise<Answered> =>
  service.request('POST', '/sign-in', {
    body: new URLSearchParams({ name, password: `password of ${name}`, ...fields }),
    headers: { ...asPerson, ...headers },
  })

/** The header that sends back the cookie that an answer sets. */
export const cookieOf = ({ headers }: Answered): { readonly cookie: string } => ({
  cookie: headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '',
})

/** The cookie of a new session. */
export async function signedIn(
  service: Pick<TestService, 'request'>,
  name: string,
): Promise<{ readonly cookie: string }> {
  const answer = await signIn(service, name)
  if (answer.status !== 303) throw new Error(`${name} could not sign in: ${answer.status}`)
  return cookieOf(answer)
}
