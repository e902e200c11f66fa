import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { neverAllowed } from '../../http/contract/problems/not-granted.ts'
import { membersToCreate } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { isGranted } from '../../model/intent/grants.ts'
import { creationOf } from '../../model/schema/resources.ts'
import { localPath } from '../../values/address.ts'
import { lazily } from '../../values/lazily.ts'

const creationViews = lazily(() => import('./read.ts'))

/** The pages for new things: a form, filled in with the parameters. */
export const newThings = ({ resources }: Schema): readonly Endpoint[] =>
  resources.map((resource) => ({
    method: 'GET',
    path: `/new/${resource.plural}`,
    role: resource.roles.writes,
    ...(isGranted(resource) && { byGrants: true as const }),
    summary: `The form for a new ${resource.name}`,
    offers: 'resource',
    parameters: [...Object.keys(membersToCreate(resource)), 'return'],
    forPeople: true,
    handle: (call) => showNew(resource, call),
  }))

async function showNew(resource: Resource, call: Call): Promise<Answer> {
  const creation = creationOf(resource)
  if (!mayEver(call, resource, creation)) return { problem: neverAllowed(call, resource, creation) }
  const { addresses } = call.service
  const title = `New ${resource.name}`
  const json = JSON.stringify({ links: { collection: addresses.base + resource.path } })
  const document = { title, kind: 'resource', item: resource.name, json } as const
  if (call.representation !== 'html') return { status: 200, document }
  const { showCreation } = await creationViews()
  const back = localPath(call.parameters.get('return'))
  const values = new Map([...call.parameters].filter(([name]) => name !== 'return'))
  return { status: 200, document: { ...document, screen: await showCreation(resource, values, back, call) } }
}
