/** A JSON document with values of a row in it, declared once and written by SQL or by JavaScript. */
export interface RowDocument {
  /** The expression that builds the document from a row. */
  readonly sql: string
  /** The document from the same values, each as JSON text, in the order of the template. */
  write(...values: readonly string[]): string
}

/** The template's texts are JSON without apostrophes; between them are SQL expressions. */
export function rowDocument(texts: TemplateStringsArray, ...columns: readonly string[]): RowDocument {
  const pieces = texts.flatMap((text, at) => [text === '' ? undefined : `'${text}'`, columns[at]])
  return {
    sql: pieces.filter((piece) => piece !== undefined).join(' || '),
    write(...values) {
      let json = texts[0] ?? ''
      for (let at = 0; at < values.length; at++) json += `${values[at]}${texts[at + 1]}`
      return json
    },
  }
}

/** A column of numbers, or of JSON, that may be null. */
export const orNull = (column: string): string => `coalesce(CAST(${column} AS text), 'null')`

/** A column of texts that need no escaping, and may be null. */
export const quotedOrNull = (column: string): string => `coalesce('"' || ${column} || '"', 'null')`
