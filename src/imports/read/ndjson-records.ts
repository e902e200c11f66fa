import { BROKEN, NOT_UTF8, type RecordReader, type RecordSink } from '../file/record.ts'

/** A JSON text on each line; blank lines are skipped. */
export function ndjsonRecords(sink: RecordSink): RecordReader {
  let line = 0
  // Declared out here because the optimizer would repeat the search for every line.
  let broken = false
  return {
    read(text, ended) {
      broken = text.includes(BROKEN)
      let at = 0
      while (at < text.length) {
        let end = text.indexOf('\n', at)
        if (end === -1) {
          if (!ended) return at
          end = text.length
        }
        line++
        const record = text.slice(at, end).trim()
        at = end + 1
        if (record === '') continue
        if (broken && record.includes(BROKEN)) sink.reject(line, NOT_UTF8, record)
        else sink.take([record], line, () => record)
      }
      return text.length
    },
  }
}
