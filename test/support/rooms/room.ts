import { suite } from 'node:test'

/**
 * Runs test files in one process, one after the other: what the hooks of a file start is closed before the next file
 * begins. Services of all files at once would poll and measure beside each other.
 */
export function room({ url }: ImportMeta, files: readonly string[]): void {
  for (const file of files) {
    suite(file, async () => {
      await import(new URL(file, url).href)
    })
  }
}
