import { crc32, deflateSync } from 'node:zlib'

/** The sign of the desk as a PNG: phones that keep a page on the home screen read no SVG. The same as in `icon.svg`. */
export function signPng(size: number): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  // Eight bits for a pixel, which name an entry of the palette.
  head.set([8, 3, 0, 0, 0], 8)
  const pixels = Buffer.alloc(size * (size + 1))
  // Each row begins with its filter, which is none. Below the diagonal is the second colour.
  for (let row = 0; row < size; row += 1) pixels.fill(1, (row + 1) * (size + 1) - row, (row + 1) * (size + 1))
  const data = deflateSync(pixels, { level: 9 })
  const parts = [chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const palette = Buffer.from('3346c40f6a48', 'hex')

/** A part of a PNG: its length, its name, its content and a sum of both. */
function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(content.length, 0)
  around.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
}
