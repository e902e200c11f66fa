import type { BatchFormat, BatchResponse } from './batch.ts'

/**
 * The responses of a batch as multipart/mixed (OData Protocol 4.01 §11.7.7). Of a change set that failed there is one
 * response, and none to requests that were not tried. Clients compare the header lines of parts letter by letter and cut
 * boundaries at `=`: they are spelled as in the specification's examples, without quotes.
 */
export function multipartBatch(version: string, name: string): BatchFormat {
  const boundary = `batchresponse_${name}`
  return {
    start: '',
    between: '',
    end: `--${boundary}--\r\n`,
    contentType: `multipart/mixed; boundary=${boundary}`,
    write(response) {
      const { request, answer, run, failed } = response
      if (answer.status === NOT_TRIED) return []
      const first = run.requests[0] === request
      const last = run.requests.at(-1) === request
      const within = `changesetresponse_${name}`
      if (run.group !== undefined && failed !== undefined && failed !== request) return []
      if (run.group === undefined || failed !== undefined) return part(boundary, response, version)
      return [
        first ? `--${boundary}\r\nContent-Type: multipart/mixed; boundary=${within}\r\n\r\n` : '',
        ...part(within, response, version),
        last ? `--${within}--\r\n` : '',
      ]
    },
  }
}

const NOT_TRIED = 424

/** Some clients need one. */
const phrases: { readonly [status: number]: string } = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  304: 'Not Modified',
}

function part(
  boundary: string,
  { request, answer: { status, headers = {}, content = '', texts, contentType } }: BatchResponse,
  version: string,
): (string | NonNullable<BatchResponse['answer']['texts']>)[] {
  const lines = [
    `--${boundary}`,
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    ...(request.isNamed ? [`Content-ID: ${request.id}`] : []),
    '',
    `HTTP/1.1 ${status} ${phrases[status] ?? 'Refused'}`,
    `OData-Version: ${version}`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'odata-version')
      .map(([name, value]) => `${spelled(name)}: ${value}`),
  ]
  const length = texts?.size ?? Buffer.byteLength(content)
  if (length > 0) lines.push(`Content-Type: ${contentType}`, `Content-Length: ${length}`)
  return [`${lines.join('\r\n')}\r\n\r\n`, texts ?? content, '\r\n']
}

/** `location` as `Location`, and `etag` as `ETag`: some clients look for the usual spelling. */
const spelled = (name: string): string =>
  name === 'etag' ? 'ETag' : name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase())
