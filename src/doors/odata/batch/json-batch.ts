import { contentTypeOf, usualFormat } from '../protocol.ts'
import type { BatchFormat } from './batch.ts'

/** The responses of a batch as JSON (OData JSON Format 4.01 §19.3). */
export const jsonBatch = (version: string): BatchFormat => ({
  start: '{"responses":[',
  between: ',',
  end: ']}',
  contentType: contentTypeOf(usualFormat),
  write({ request: { id, group }, answer: { status, headers, content, texts, contentType } }) {
    const hasBody = content !== undefined || texts !== undefined
    const shown = {
      'odata-version': version,
      ...headers,
      ...(hasBody && contentType !== undefined && { 'content-type': contentType }),
    }
    const start = JSON.stringify({ id, ...(group !== undefined && { atomicityGroup: group }), status, headers: shown })
    if (!hasBody) return [start]
    const isJson = contentType?.startsWith('application/json')
    const body = texts ?? (isJson ? (content ?? '') : JSON.stringify(content))
    return [`${start.slice(0, -1)},"body":`, body, '}']
  },
})
