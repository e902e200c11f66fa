/** What the tests use of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Context {
    readonly path: string
    readonly method: string
    readonly req: IncomingMessage
    readonly res: ServerResponse
    readonly oidc: OidcContext
    status: number
    type: string
    body: unknown
  }

  interface OidcContext {
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
    readonly result?: { readonly consent?: { readonly grantId: string } }
  }

  class Grant {
    constructor(of: { readonly clientId: string; readonly accountId: string })
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    readonly Grant: typeof Grant
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly uid: string; readonly prompt: { readonly name: string } }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
