const parts = dealLinksWith('\0').split('\0')

/** The links member that a single open deal carries, of the size that the service's has. */
export const dealLinks = (id: string): string => parts.join(id)

function dealLinksWith(id: string): string {
  const self = `/rest/v1/deals/${id}`
  const operations = [
    'delete',
    'hold',
    'complete',
    'cancel',
    'change-price',
    'change-completion-date',
    'rename',
  ].concat(['describe', 'assign', 'change-customer', 'move', 'add-note', 'record-payment'])
  const list = operations.map((name) => `"${name}":"${self}/${name}"`).join()
  return `"links":{"self":"${self}","collection":"/rest/v1/deals","history":"${self}/history","actions":"${self}/actions","customer":"/customers/500000","operations":{${list}}}`
}
