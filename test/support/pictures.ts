// Small pictures for tests.
import { writePng, type Picture } from '../../src/foundation/pictures.ts'

/** A PNG of one colour. */
export function samplePng(width: number, height: number): Picture {
  return { content_type: 'image/png', content: writePng(width, height, Buffer.alloc(width * height * 3, 120)), width, height }
}

/** A JPEG as far as its header tells: enough for whoever looks only at that. */
export function jpegHead(width: number, height: number, components = 3): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 8 + 3 * components, 8, height >> 8, height & 255, width >> 8, width & 255, components, ...Array.from({ length: 3 * components }, () => 1)])
  const jfif = Buffer.concat([Buffer.from([0xff, 0xe0, 0, 16]), Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')])
  const place = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 20]), Buffer.from('Exif\0\0 at my home ', 'latin1')])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jfif, place, frame, Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xff, 0xd9])])
}
