import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** 256 random bits for a key, a cookie or a link. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** It has 256 random bits, so one pass of SHA-256 is enough. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')
