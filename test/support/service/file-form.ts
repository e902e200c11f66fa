/** A form with a file, as browsers send it. */
export function fileForm({ file, ...fields }: FormParts): { readonly type: string; readonly content: Buffer } {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const part = (head: string, content: string | Buffer): readonly Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]
  const { what, text } = fields
  const content = Buffer.concat([
    ...(what === undefined ? [] : part('name="what"', what)),
    ...part(`name="file"; filename="${file?.name ?? ''}"\r\nContent-Type: text/csv`, file?.content ?? ''),
    ...part('name="text"', text ?? ''),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, content }
}

interface FormParts {
  readonly what?: string
  readonly file?: { readonly name: string; readonly content: string | Buffer }
  readonly text?: string
}
