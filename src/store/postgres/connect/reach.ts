/** Logs once when the database cannot be reached, with the reason, and once when it is back. */
export interface Reach {
  /** A connection could not be restored. */
  failed(cause: unknown): void
  /** A connection was restored. */
  made(): void
}

export function reachTeller(place: string, isWhole: () => boolean, onNote: (line: string) => void): Reach {
  let awaySince: number | undefined
  return {
    failed(cause) {
      if (awaySince !== undefined) return
      awaySince = performance.now()
      onNote(`${place} cannot be reached: ${reasonOf(cause)}`)
    },
    made() {
      if (awaySince === undefined || !isWhole()) return
      onNote(`${place} is back after ${Math.ceil((performance.now() - awaySince) / 1000)} s`)
      awaySince = undefined
    },
  }
}

/** Such as `28P01 password authentication failed for user "dealdesk"`. */
function reasonOf(cause: unknown): string {
  const { code = '', message = '' } = cause as { readonly code?: string; readonly message?: string }
  return message.includes(code) ? message : `${code} ${message}`.trim()
}
