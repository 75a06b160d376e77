// Pictures of pages as plain grey pixels, which the recognition of letters takes without unpacking anything.

/** One byte a pixel, 255 is white. */
export type Grey = { width: number; height: number; pixels: Uint8Array }

/** As pdf.js hands a picture over: kind 1 has a bit a pixel, 2 three bytes, 3 four. */
export type Picture = { width: number; height: number; kind?: number; data?: Uint8Array | Uint8ClampedArray | null }

export const MOST_PIXELS = 40_000_000
// More than this of a page of paper adds time and no letters.
const ENOUGH_PIXELS = 12_000_000

export function greyOf({ width, height, kind, data }: Picture): Grey | null {
  if (!data || !(width > 0 && height > 0) || width * height > MOST_PIXELS) return null
  const count = width * height
  const pixels = new Uint8Array(count)
  if (kind === 1 && data.length >= Math.ceil(width / 8) * height) {
    const row = Math.ceil(width / 8)
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = ((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0
    return { width, height, pixels }
  }
  const channels = data.length / count
  if (channels !== 1 && channels !== 3 && channels !== 4) return null
  for (let index = 0; index < count; index++) {
    const at = index * channels
    if (channels === 1) pixels[index] = data[at] ?? 0
    // How bright each colour looks; what shines through lies on white paper.
    else {
      const shade = ((data[at] ?? 0) * 77 + (data[at + 1] ?? 0) * 151 + (data[at + 2] ?? 0) * 28) >> 8
      const cover = channels === 4 ? (data[at + 3] ?? 255) : 255
      pixels[index] = (shade * cover + 255 * (255 - cover)) / 255
    }
  }
  return { width, height, pixels }
}

/** Turned clockwise by quarters, as a page says it is to be shown. */
export function turned(grey: Grey, degrees: number): Grey {
  const quarters = (((Math.round(degrees / 90) % 4) + 4) % 4)
  if (quarters === 0) return grey
  const { width, height, pixels } = grey
  const across = quarters % 2 === 1
  const result = new Uint8Array(pixels.length)
  const wide = across ? height : width
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const [tx, ty] = quarters === 1 ? [height - 1 - y, x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
    result[ty * wide + tx] = pixels[y * width + x] ?? 255
  }
  return { width: wide, height: across ? width : height, pixels: result }
}

/** Halved as long as it has more pixels than letters need. */
export function reduced(grey: Grey): Grey {
  let { width, height, pixels } = grey
  while (width * height > ENOUGH_PIXELS) {
    const [half_width, half_height] = [width >> 1, height >> 1]
    const smaller = new Uint8Array(half_width * half_height)
    for (let y = 0; y < half_height; y++) for (let x = 0; x < half_width; x++) {
      const at = 2 * y * width + 2 * x
      smaller[y * half_width + x] = ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + width] ?? 0) + (pixels[at + width + 1] ?? 0)) >> 2
    }
    ;[width, height, pixels] = [half_width, half_height, smaller]
  }
  return { width, height, pixels }
}

/** A portable grey map: a line of text, then the pixels. */
export function portableGrey({ width, height, pixels }: Grey): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels])
}
