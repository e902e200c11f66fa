import { argon2Sync, randomBytes } from 'node:crypto'

const parameters = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/** A password's hash as the service keeps it, of the same kind but cheap: for users whom no test of hashing is about. */
export function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { message: password, nonce, ...parameters })
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
