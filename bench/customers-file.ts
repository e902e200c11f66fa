import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { randomFrom } from '../src/demo/random.ts'
import { sampleCustomer } from './sample.ts'

/** Writes a file of customers to import; the names of some can be given. */
export async function writeCustomers(
  path: string,
  rows: number,
  nameOf: (id: number, name: string) => string = (_id, name) => name,
): Promise<void> {
  const random = randomFrom(4)
  const out = createWriteStream(path)
  out.write('id,name,email,age,children,country\r\n')
  for (let id = 1; id <= rows; id++) {
    const { name, email, age, children, country } = sampleCustomer(id, random)
    const row = `${id},${nameOf(id, name)} ${id % 9973},${email ?? ''},${age ?? ''},${children ?? ''},${country ?? ''}\r\n`
    if (!out.write(row)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}
