import { pascalCase } from '../../../src/values/letter-case.ts'
import { type DoorAdapter, saidIn, type Told } from './adapter.ts'

export const odata: DoorAdapter = {
  door: 'odata',
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const set = pascalCase(operation.on.plural)
    const bound = operation.to === 'nothing' ? set : `${set}(${target})`
    const path = `/odata/${bound}/Dealdesk.${pascalCase(operation.name)}${query}`
    const { status, body } = await service.request('POST', path, { body: { ...params, ...saidIn(sample) }, headers })
    if (status === 204) return { thing: null }
    if (status < 300) return { thing: body }
    const { error } = body as unknown as {
      readonly error: { readonly innererror: { readonly [name: string]: unknown } }
    }
    return { problem: error.innererror }
  },
  async read(service, { plural, names, kinds }, id) {
    const { body } = await service.request('GET', `/odata/${pascalCase(plural)}(${id})?$select=${names}`)
    // A collection is empty instead of null.
    const isUnset = (name: string, value: unknown): boolean =>
      Array.isArray(value) && value.length === 0 && kinds[name]?.nullable === true
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isUnset(name, value) ? null : value]))
  },
}

/** The same, in a change set of a batch as multipart/mixed. */
export const odataInParts: DoorAdapter = {
  ...odata,
  async perform(service, sample): Promise<Told> {
    const { operation, params, target, query = '', headers = {} } = sample
    const set = pascalCase(operation.on.plural)
    const bound = operation.to === 'nothing' ? set : `${set}(${target})`
    const inner = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const lines = [
      '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n',
      `POST ${bound}/Dealdesk.${pascalCase(operation.name)}${query} HTTP/1.1`,
      ...inner,
      '',
      JSON.stringify({ ...params, ...saidIn(sample) }),
      '--c--',
      '--b--',
    ]
    const { text } = await service.request('POST', '/odata/$batch', {
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: lines.join('\r\n'),
    })
    const [, status = '', , body = ''] = /HTTP\/1\.1 (\d+)([\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/.exec(text) ?? []
    if (status === '204') return { thing: null }
    const said = JSON.parse(body)
    return Number(status) < 300 ? { thing: said } : { problem: said.error.innererror }
  },
}
