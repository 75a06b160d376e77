// Round steps for an axis, short words for large numbers, and how wide text is. Pure.
import type { FigureUnit } from '../bindings/contract.ts'
import type { Point } from './contract.ts'

/** Without what neither a page nor XML can hold. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll(/(?![\n\t])[\p{Cc}\ufffe\uffff]/gu, '')
}

export type Scale = { low: number; high: number; step: number }

/** Round steps from nothing, or from below it, to the highest value. */
export function scaleOf(values: readonly number[], steps: number): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = most - least || 1
  const rough = span / Math.max(1, steps)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power
  return { low: Math.floor(least / step + 1e-9) * step || 0, high: Math.max(Math.ceil(most / step - 1e-9) * step, least === 0 ? step : 0), step }
}

export function ticksOf({ low, high, step }: Scale): number[] {
  const count = Math.round((high - low) / step)
  return Array.from({ length: count + 1 }, (_, index) => low + index * step)
}

const MAGNITUDES = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'k'], [1, '']] as const
const SIGNS: Partial<Record<FigureUnit, string>> = { percent: '%', ratio: '×', days: ' d', months: ' mo' }

/** As many decimals as tell two steps apart: 1.25M, 350k, 40%. */
export function tickText(value: number, { low, high, step }: Scale, unit: FigureUnit): string {
  if (Math.abs(value) < step / 2) return '0'
  const most = Math.max(Math.abs(low), Math.abs(high))
  const [size, letter] = MAGNITUDES.find(([each]) => most >= (each === 1e3 ? 1e4 : each)) ?? [1, '']
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step / size) + (/^2\.5|^25/.test(String(step / size * 1e6)) ? 1 : 0) - 1e-9)))
  return `${(value / size).toFixed(decimals)}${letter}${SIGNS[unit] ?? ''}`
}

/** About three digits; the exact value stands in a table and in the hint. */
export function shortText({ value, formatted }: Point, unit: FigureUnit): string {
  if (unit !== 'currency' && unit !== 'count') return formatted
  const most = Math.abs(value)
  const [size, letter] = MAGNITUDES.find(([each]) => most >= each * 0.9995) ?? [1, '']
  const scaled = value / size
  const decimals = letter === '' ? (unit === 'count' || Math.abs(scaled) >= 100 ? 0 : 2) : Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2
  return `${scaled.toFixed(decimals)}${letter}`
}

/** Of a wide font: what fits by this fits in the others. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const character of text) width += WIDTHS[character.charCodeAt(0)] ?? (WIDE.test(character) ? 1.02 : 0.63)
  return width * size
}

const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3ffff}]/u
/** Of the letters that most texts are made of. */
const WIDTHS: readonly number[] = Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[A-Z@%&\u00c0-\u00de]/.test(character) ? 0.78 : /[ .,:;'|!ijlItfr()\-[\]\u00a0]/.test(character) ? 0.4 : 0.63
})

export function fitted(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text
  let cut = ''
  for (const character of text) {
    if (textWidth(`${cut}${character}…`, size) > room) break
    cut += character
  }
  return cut === '' ? '' : `${cut.trimEnd()}…`
}

export function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}
