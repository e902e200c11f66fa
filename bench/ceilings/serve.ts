import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on the port that was asked for, and tells where; connections may rest as long as they like between waves. */
export function serve(server: Server): void {
  server.keepAliveTimeout = 0
  server.listen(Number(process.env.PORT), '127.0.0.1', () => {
    process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
  process.on('SIGTERM', () => process.exit(0))
}
