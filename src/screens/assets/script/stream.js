import { eventTypes } from './from-service.js'

// One stream of events for all pages of a browser: over HTTP/1.1 it has six connections to the service. The visible
// page that holds a lock follows the feed and informs the others. While no page is visible, there is no stream.

export const RETRY = 5000

// `heard` is called with the subject of each event, and with null if events may have been missed.
export function followEvents(address, heard) {
  let stop
  let mayHaveMissed = document.hidden

  const start = () => {
    if (stop || document.hidden) return
    if (mayHaveMissed) heard(null)
    const stopping = new AbortController()
    // Browsers have locks only with TLS or on the same machine. Elsewhere each visible page has a stream.
    const channel = navigator.locks && new BroadcastChannel(address)
    if (channel) channel.onmessage = ({ data }) => heard(data)
    stop = () => {
      stop = undefined
      mayHaveMissed = true
      stopping.abort()
      channel?.close()
    }
    void lead(stopping.signal, channel)
  }

  // Waits until no other page follows the feed, and follows it until the page is hidden.
  const lead = async (signal, channel) => {
    const follow = () => followFeed(signal, channel)
    if (!channel) return follow()
    try {
      await navigator.locks.request(address, { ifAvailable: true }, (lock) => lock && follow())
      if (signal.aborted) return
      await navigator.locks.request(address, { signal }, () => {
        mayHaveMissed = true
        return follow()
      })
    } catch {
      // A browser that stores nothing for a site may refuse locks.
      if (!signal.aborted) await follow()
    }
  }

  const followFeed = (signal, channel) =>
    new Promise((resolve) => {
      const pass = (subject) => {
        channel?.postMessage(subject)
        heard(subject)
      }
      const open = () => {
        if (signal.aborted) return
        const source = new EventSource(address)
        // An EventSource needs a listener for each name.
        for (const type of eventTypes) source.addEventListener(type, ({ data }) => pass(JSON.parse(data).subject))
        source.onopen = () => {
          document.documentElement.dataset.following = 'yes'
          channel?.postMessage(null)
          if (mayHaveMissed) heard(null)
          mayHaveMissed = true
        }
        // A browser reconnects automatically, but gives up after an answer such as 503.
        source.onerror = () => source.readyState === EventSource.CLOSED && setTimeout(open, RETRY)
        signal.addEventListener('abort', () => {
          source.close()
          resolve()
        })
      }
      open()
    })

  start()
  document.addEventListener('visibilitychange', () => (document.hidden ? stop?.() : start()))
  addEventListener('pagehide', () => stop?.())
  // A page from the back/forward cache follows again.
  addEventListener('pageshow', start)
}
