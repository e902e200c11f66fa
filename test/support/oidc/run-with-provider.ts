import { freePort } from '../service/free-port.ts'
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
