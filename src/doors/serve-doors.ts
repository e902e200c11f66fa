import type { FastifyReply, FastifyRequest } from 'fastify'
import { codingFault, typeFault } from '../http/connection/announced-body.ts'
import { ConnectionPeer } from '../http/connection/peer.ts'
import type { Service } from '../http/contract/endpoint.ts'
import type { Problem } from '../http/contract/problems/problem.ts'
import type { Route } from '../http/contract/route.ts'
import { deskFor, type RouteGate } from '../http/gate/gate.ts'
import type { Outgoing } from '../http/negotiate/outgoing.ts'
import { RequestBudget } from '../http/request/answer-budget.ts'
import { sendContent } from '../http/respond/send/send.ts'
import { instanceOf, sendProblem } from '../http/respond/send/send-problem.ts'
import type { ServedDoors } from '../http/server/served-doors.ts'
import type { Desk } from '../store/port/desk.ts'
import type { Door, DoorCall, DoorRoute, Knocking, Room } from './door.ts'
import { doorAt } from './doors.ts'
import { readAroundContent } from './kit/around.ts'
import { problemHeaders } from './kit/told.ts'

/** Serves doors with the gate, the limits and the metrics of every route. A room is loaded at its first request. */
export function serveDoors(open: readonly Door[], service: Service): ServedDoors {
  const rooms = new Map<Door, Promise<Room>>()
  const roomOf = (door: Door): Promise<Room> => {
    const known = rooms.get(door) ?? door.open().then((openRoom) => openRoom(service))
    rooms.set(door, known)
    return known
  }
  const { current: schema } = service.store.schemas
  const served = open.flatMap((door) => door.routes(schema).map((each) => ({ door, route: routeOf(door, each) })))
  return {
    routes: served.map(({ route }) => route),
    answerHeaders: open.flatMap(({ headers }) => headers?.answer ?? []),
    requestHeaders: (path) => doorAt(path, open)?.headers?.request ?? [],
    has: (path) => doorAt(path, open) !== undefined,
    tell(problem, outgoing) {
      const door = doorAt(outgoing.path, open)
      if (door === undefined) return undefined
      roomOf(door).then(
        (room) => tellIn(room, problem, outgoing),
        (err) => {
          service.log.error({ id: outgoing.request.id, err }, `the door ${door.name} could not be opened`)
          sendProblem(problem, outgoing)
        },
      )
      return outgoing.reply
    },
    addTo(app, gate, { outgoingOf, answerNotFound }) {
      const { traces } = service
      const { load } = service.monitor
      for (const { door, route } of served) {
        const { judgeAgain, countAgain, ...entry } = gate.of(route)
        app.route({
          method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
          url: route.path,
          ...entry,
          handler: async (request, reply) => {
            const early = outgoingOf(request, reply)
            if (route.where?.(early.path) === false) return answerNotFound(request, reply)
            const room = await roomOf(door)
            const fault = (await judgeAgain(request, reply)) ?? bodyFault(request, route)
            if (fault !== undefined) return tellIn(room, fault, early)
            const desk = deskFor(request, service)
            const outgoing = { ...early, schema: desk.schema }
            const around = readAroundContent(knockingOf(outgoing), outgoing.query)
            if ('problem' in around) return tellIn(room, around.problem, outgoing)
            load.inFlight++
            try {
              const answering = () => room.answer(callOf(door, desk, outgoing, around, countAgain))
              const answer = await (traces === undefined ? answering() : traces.part(`door ${door.name}`, answering))
              if ('problem' in answer) return tellIn(room, answer.problem, outgoing, answer.sent)
              return sendContent(answer.parts ? { ...answer, parts: inFlight(answer.parts, load) } : answer, outgoing)
            } finally {
              load.inFlight--
            }
          },
        })
      }
    },
  }
}

/** Work for an answer counts as in flight, the time in which it is read does not. */
async function* inFlight(parts: AsyncIterable<string>, load: Service['monitor']['load']): AsyncGenerator<string> {
  load.inFlight++
  try {
    for await (const part of parts) {
      load.inFlight--
      try {
        yield part
      } finally {
        load.inFlight++
      }
    }
  } finally {
    load.inFlight--
  }
}

const routeOf = (door: Door, { method, path, at, reads }: DoorRoute): Route => ({
  method,
  path: door.at + path,
  role: 'reader',
  ...(at && { where: (address) => at(address) !== undefined, roleAt: (address) => at(address) ?? 'reader' }),
  ...(reads && { reads }),
})

function tellIn(room: Room, problem: Problem, outgoing: Outgoing, sent?: unknown): FastifyReply {
  const { headers, ...answer } = room.tell(problem, knockingOf(outgoing), sent)
  return sendContent(
    { ...answer, headers: { ...notStored, ...problemHeaders(problem, outgoing), ...headers } },
    outgoing,
  )
}

const notStored = { 'cache-control': 'no-store' }

const knockingOf = ({ request, path, service, schema }: Outgoing): Knocking => ({
  method: request.method,
  path,
  headers: request.headers,
  instance: instanceOf(request.id),
  service,
  schema,
})

function callOf(
  door: Door,
  desk: Desk,
  outgoing: Outgoing,
  read: Pick<DoorCall, 'around' | 'query'>,
  countAgain: RouteGate['countAgain'],
): DoorCall {
  const { request, reply, service } = outgoing
  let parts = 0
  return {
    ...knockingOf(outgoing),
    form: door.name,
    params: request.params as DoorCall['params'],
    ...read,
    bytes: bytesOf(request),
    actor: request.actor,
    role: request.role,
    caller: request.caller,
    desk,
    peer: new ConnectionPeer(reply),
    budget: new RequestBudget(service.monitor.answers, reply.raw),
    // The request itself is already counted.
    countPart: () => (parts++ === 0 ? undefined : countAgain(request, reply)),
  }
}

/** A type without a body does not matter. */
function bodyFault(request: FastifyRequest, { method, reads = [] }: Route): Problem | undefined {
  const { headers } = request
  return bytesOf(request).length === 0 ? undefined : (codingFault(headers) ?? typeFault(headers, { method, reads }))
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : nothing)

const nothing = Buffer.alloc(0)
