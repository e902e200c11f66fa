import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// OWASP Password Storage: argon2id with 19 MiB, two passes, one lane. Runs in Node's thread pool.
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32
const SALT_BYTES = 16

const derive = promisify(argon2)

/** The password's hash as a PHC string, which names its own parameters. */
export async function hashPassword(password: string): Promise<string> {
  return written(
    await derived(password, { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt: randomBytes(SALT_BYTES) }),
  )
}

/** Compares in constant time; a string that is not one of our hashes matches no password. */
export async function isPassword(password: string, phc: string): Promise<boolean> {
  const kept = read(phc)
  if (kept === undefined) return false
  const { tag } = await derived(password, kept)
  return tag.length === kept.tag.length && timingSafeEqual(tag, kept.tag)
}

/** Dummy hash for unknown users, so that both cases take the same time. No password matches it. */
export const nobodysHash: string = written({
  memory: MEMORY_KIB,
  passes: PASSES,
  lanes: LANES,
  salt: randomBytes(SALT_BYTES),
  tag: randomBytes(TAG_BYTES),
})

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly salt: Buffer
}

interface Hash extends Parameters {
  readonly tag: Buffer
}

async function derived(password: string, { memory, passes, lanes, salt }: Parameters): Promise<Hash> {
  const parameters = { message: password, nonce: salt, parallelism: lanes, tagLength: TAG_BYTES, memory, passes }
  return { memory, passes, lanes, salt, tag: await derive('argon2id', parameters) }
}

function written({ memory, passes, lanes, salt, tag }: Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function read(phc: string): Hash | undefined {
  const [, memory, passes, lanes, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc) ?? []
  if (memory === undefined) return undefined
  return {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
