import { connect, createServer, type Socket } from 'node:net'

/** Stands between a store and its database, and breaks connections when the test says so. */
export interface BreakingProxy {
  readonly url: string
  /** The next statement with that text reaches the database; its answer reaches nobody. */
  breakBehind(text: string): void
  /** The next statement with that text does not reach the database; those sent before it do. */
  breakBefore(text: string): void
  /** Breaks every connection that there is. */
  breakAll(): void
  /** From now on nothing goes through, though no connection breaks. */
  stall(): void
  /** How often it broke a connection. */
  readonly broken: number
  close(): Promise<void>
}

export async function breakingProxy(databaseUrl: string): Promise<BreakingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let awaited: { readonly text: string; readonly arrives: boolean } | undefined
  let broken = 0
  let isStalled = false

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let cut = false
    const breakOnce = (): void => {
      // Statements sent before the one that breaks it may still be answered.
      if (client.destroyed) return
      broken++
      client.destroy()
    }
    client.on('data', (chunk: Buffer) => {
      if (isStalled) return
      const found = awaited === undefined ? -1 : chunk.indexOf(awaited.text)
      if (awaited === undefined || found === -1) return void database.write(chunk)
      const { arrives } = awaited
      awaited = undefined
      cut = true
      if (arrives) return void database.write(chunk)
      database.write(chunk.subarray(0, found))
      breakOnce()
    })
    database.on('data', (chunk) => {
      if (isStalled) return
      if (!cut) return void client.write(chunk)
      // It was answered, so it was done.
      breakOnce()
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
      awaited = { text, arrives: true }
    },
    breakBefore(text) {
      awaited = { text, arrives: false }
    },
    stall() {
      isStalled = true
    },
    breakAll() {
      for (const socket of sockets) socket.destroy()
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
