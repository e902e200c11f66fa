import { Agent, get } from 'node:http'
import type { Server } from '../server.ts'

/** Reads addresses with some connections that stay open, and counts what that costs the server. */
export interface Reader {
  read(server: Pick<Server, 'port'>, path: string, accept?: string): Promise<string>
  /** CPU of the server for each of so many requests, to these paths in turn. */
  cost(server: Server, paths: readonly string[], requests: number, accept?: string): Promise<number>
  close(): void
}

export function startReader(clients: number): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })

  function read({ port }: Pick<Server, 'port'>, path: string, accept = 'application/json'): Promise<string> {
    return new Promise((resolve, reject) => {
      get({ agent, host: '127.0.0.1', port, path, headers: { accept } }, (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (part) => {
            text += part
          })
          .on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${text}`))))
          .on('error', reject)
      }).on('error', reject)
    })
  }

  return {
    read,
    async cost(server, paths, requests, accept) {
      const before = await server.cost()
      let asked = 0
      const next = async (): Promise<void> => {
        while (asked < requests) await read(server, paths[asked++ % paths.length] ?? '', accept)
      }
      await Promise.all(Array.from({ length: clients }, next))
      return ((await server.cost()).cpu - before.cpu) / requests
    },
    close: () => agent.destroy(),
  }
}
