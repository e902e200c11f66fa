import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { runService, type TestService } from '../service/running-service.ts'
import { runProvider, type TestProvider } from './run-provider.ts'

/** A service whose people sign in at a provider. Its address must be known before either starts. */
export async function runWithProvider(
  people: Parameters<typeof runProvider>[1],
): Promise<{ readonly service: TestService; readonly provider: TestProvider }> {
  const port = await freePort()
  const provider = await runProvider(`http://127.0.0.1:${port}`, people)
  const service = await runService({ ...provider.settings, PORT: String(port) })
  return { service, provider }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
