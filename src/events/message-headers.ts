import { signedHeaders } from '../model/nouns/webhook/signature.ts'

/** The headers of an event for a receiver, signed now. */
export const messageHeaders = (
  id: string,
  event: string,
  secrets: readonly string[],
  userAgent: string,
): { readonly [name: string]: string } => ({
  'content-type': 'application/cloudevents+json; charset=utf-8',
  'user-agent': userAgent,
  ...signedHeaders({ id, seconds: Math.floor(Date.now() / 1000), body: event }, secrets),
})
