import { connect, createServer, type Socket } from 'node:net'

/** Stands between a store and its database, and breaks connections when the test says so. */
export interface BreakingProxy {
  readonly url: string
  /** The next statement with that text reaches the database; its answer reaches nobody. */
  breakBehind(text: string): void
  /** How often it broke a connection. */
  readonly broken: number
  close(): Promise<void>
}

export async function breakingProxy(databaseUrl: string): Promise<BreakingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let awaited: string | undefined
  let broken = 0

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let cut = false
    client.on('data', (chunk) => {
      if (awaited !== undefined && chunk.includes(awaited)) {
        awaited = undefined
        cut = true
      }
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      if (!cut) return void client.write(chunk)
      // It was answered, so it was done.
      broken++
      client.destroy()
      database.destroy()
    })
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as { readonly port: number }).port)
  return {
    url: url.href,
    breakBehind(text) {
      awaited = text
    },
    get broken() {
      return broken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
