// Sentences about figures, and the check that holds any text against them.
//
//   sentencesOf(narration)         what the figures show, by rules; every number in it is one of the figures as it is shown
//   strangeNumbers(text, slide)    the numbers of a text that are none of the figures
//   unfit(text, narration)         why a text may not stand on the slide; null where it may
//   materialOf(narrations)         what a model is given: labels and figures of these slides, nothing else
import type { Figure } from '../bindings/contract.ts'
import { LONGEST_TEXT, type Narration } from './contract.ts'

type Slide = Pick<Narration, 'slide' | 'figures'>
type Row = { label: string; kind: Figure['kind']; cells: Map<string, Figure> }

const MOST_ROWS = 4
const MOST_RANKED = 3

export function sentencesOf(narration: Slide): string {
  const rows = rowsOf(narration.figures.filter(hasValue))
  if (rows.length === 0) return 'There are no figures to speak of.'
  const found = rows.filter(isRanked)
  const ranked = found.length > 1 ? found : []
  const told = tellingRows(rows.filter((row) => !ranked.includes(row))).slice(0, MOST_ROWS).map(saidOf)
  const ranking = rankingOf(ranked)
  return (rows[0] && ranked.includes(rows[0]) ? [ranking, ...told] : [...told, ranking]).filter((sentence) => sentence !== '').join(' ')
}

/** Over time, by some other split, or beside what it is compared with. */
function saidOf(row: Row): string {
  const points = ownOf(row)
  const dated = points.filter(({ column }) => DATED.test(column))
  if (dated.length > 1) return trendOf(row, dated)
  return points.length > 1 ? splitOf(row, points) : changeOf(row)
}

/** Such as 2026, 2026-03 and 2026-Q1. */
const DATED = /^\d{4}(?:-(?:\d\d|Q\d))?$/
/** Without those that it is compared with. */
const ownOf = ({ cells }: Row): Figure[] => [...cells.values()].filter(({ column }) => !column.includes(':'))

const hasValue = ({ value_cents, decimal }: Figure): boolean => value_cents !== null || decimal !== null
const sizeOf = ({ value_cents, decimal }: Figure): number => value_cents ?? Number(decimal)

function rowsOf(figures: readonly Figure[]): Row[] {
  const rows = new Map<string, Row>()
  for (const figure of figures) {
    const row = rows.get(figure.row) ?? { label: figure.label, kind: figure.kind, cells: new Map<string, Figure>() }
    rows.set(figure.row, row)
    row.cells.set(figure.column, figure)
  }
  return [...rows.values()]
}

/** Totals say most, then subtotals, then sections; among equals the order of the report. Rows of nothing say nothing, unless all are such. */
function tellingRows(rows: readonly Row[]): Row[] {
  const ranks = ['total', 'subtotal', 'section', 'ledger']
  const moved = rows.filter(({ cells }) => [...cells.values()].some((figure) => sizeOf(figure) !== 0))
  const picked = moved.length > 0 ? moved : rows
  return picked.toSorted((one, other) => ranks.indexOf(one.kind) - ranks.indexOf(other.kind))
}

/** One amount among others of its kind. */
const isRanked = ({ kind, cells }: Row): boolean => kind === 'ledger' && cells.size === 1 && cells.values().next().value?.unit === 'currency'

/** Rows that stand for what is not named. */
const REST = new Set(['others', 'unassigned'])

/** The largest first. */
function rankingOf(rows: readonly Row[]): string {
  const named_rows = rows.flatMap(ownOf).filter(({ row }) => !REST.has(row))
  const cells = named_rows.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, MOST_RANKED)
  const [first, ...others] = cells
  if (!first) return ''
  const lead = `${capital(named(first.label))} leads with ${first.formatted}`
  return others.length === 0 ? `${lead}.` : `${lead}, followed by ${joined(others.map(({ label, formatted }) => `${named(label)} with ${formatted}`))}.`
}

/** How a figure stands, beside the one it is compared with. */
function changeOf({ label, cells }: Row): string {
  const all = [...cells.values()]
  const now = all.find(({ column }) => !column.includes(':'))
  if (!now) return ''
  const before = all.find(({ column }) => column.startsWith(`${now.column}:`) && !/:variance(_percent)?$/.test(column))
  const subject = capital(named(label))
  if (!before) return `${subject}: ${now.formatted}.`
  const percent = all.find(({ column, formatted }) => column === `${before.column}:variance_percent` && formatted !== 'n/m')
  const change = sizeOf(now) - sizeOf(before)
  if (change === 0) return `${subject} stayed at ${now.formatted}.`
  const share = percent ? ` (${percent.formatted})` : ''
  return `${subject} ${change > 0 ? 'rose' : 'fell'} from ${before.formatted} to ${now.formatted}${share}.`
}

/** What it is made of, and its total where that is told. */
function splitOf({ label }: Row, points: readonly Figure[]): string {
  const parts = points.filter((point) => sizeOf(point) !== 0)
  if (parts.length === 0) return ''
  return `${capital(named(label))}: ${joined(parts.map(({ formatted, column_label }) => `${formatted} (${column_label})`))}.`
}

function trendOf({ label }: Row, points: readonly Figure[]): string {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return ''
  const subject = capital(named(label))
  if (points.every((point) => sizeOf(point) === sizeOf(first))) return `${subject} stayed at ${first.formatted} throughout.`
  const highest = points.reduce((best, point) => (sizeOf(point) > sizeOf(best) ? point : best))
  const lowest = points.reduce((least, point) => (sizeOf(point) < sizeOf(least) ? point : least))
  const ends = `${subject} went from ${first.formatted} (${first.column_label}) to ${last.formatted} (${last.column_label})`
  return `${ends}, highest with ${highest.formatted} (${highest.column_label}), lowest with ${lowest.formatted} (${lowest.column_label}).`
}

/** Names are people's words: one with a number in it is quoted, so that it is not taken for a figure. */
const named = (label: string): string => (/\p{N}/u.test(label) || label.match(NUMBER_WORDS) ? `“${label}”` : label)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const joined = (parts: readonly string[]): string => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`)

const NUMBER_WORDS = new RegExp(`\\b(?:${[
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty',
  'hundreds?|thousands?|millions?|billions?|trillions?|dozens?|per ?cent|percentage|half|halves|halved|halving|twice|thrice',
  'doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing)|\\w+fold|two-thirds|a third|a quarter of',
].join('|')})\\b`, 'giu')

/** The numbers of a text, in digits or in words, that are none of the figures as they are shown. */
export function strangeNumbers(text: string, { slide, figures }: Slide): string[] {
  const shown = figures.filter(({ formatted }) => /\p{N}/u.test(formatted)).map(({ formatted }) => formatted)
  const own = [slide.title, ...figures.map(({ column_label }) => column_label).filter((label) => PERIOD.test(label))]
  const marked = figures.flatMap(({ label, column_label }) => [`“${label}”`, `(${column_label})`])
  const left = [...longestFirst(marked), ...longestFirst([...shown, ...own])].reduce((rest, known) => without(rest, spaced(known)), spaced(text))
  const digits = left.match(/[^\s\p{L}]*\p{N}[^\s]*/gu) ?? []
  return [...digits, ...(left.match(NUMBER_WORDS) ?? [])]
}

/** One space is as good as another between a currency and its amount. */
const spaced = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** Such as March 2026, 2026-03-31 and 2026-Q1: the service's own words for a column, and no year by itself. */
const PERIOD = /^(?:\p{L}{3,9} \d{4}|\d{4}-\d\d(?:-\d\d)?|\d{4}-Q\d)$/u

const longestFirst = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted((one, other) => other.length - one.length)

/** Takes a known piece out wherever it stands by itself: 1,200.00 is not a piece of 11,200.00, nor $500.00 one of -$500.00. */
function without(text: string, known: string): string {
  let rest = ''
  let from = 0
  for (let at = text.indexOf(known); at !== -1; at = text.indexOf(known, at + 1)) {
    if (at < from) continue
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + known.length, at + known.length + 2)
    if (/[\p{N}\p{L}\p{Sc}+\-−–(]$|\p{N}[.,'’]$/u.test(before) || /^(?:\p{N}|\p{L}|%|[.,'’]\p{N}| ?(?:k|m|bn)\b)/iu.test(after)) continue
    rest += `${text.slice(from, at)} `
    from = at + known.length
  }
  return rest + text.slice(from)
}

export function unfit(text: string, narration: Slide): string | null {
  if (text.trim() === '') return 'It says nothing.'
  if (text.length > LONGEST_TEXT) return 'It is too long.'
  if (/[<>[\]{}`]|https?:|www\.|@\S+\.|\p{Cc}(?<!\n)/iu.test(text)) return 'It is more than plain text.'
  const [strange] = strangeNumbers(text, narration)
  return strange === undefined ? null : `It has a number that is none of the figures: ${strange}`
}

const MOST_FIGURES = 60
const LONGEST_LABEL = 120

export function materialOf(narrations: readonly Narration[]): string {
  const slides = narrations.map(({ slide, figures }, index) => ({
    number: index + 1, kind: slide.kind, title: slide.title,
    figures: figures.filter(hasValue).slice(0, MOST_FIGURES).map(({ label, column_label, formatted }) => (
      { name: label.slice(0, LONGEST_LABEL), of: column_label.slice(0, LONGEST_LABEL), value: formatted })),
  }))
  const [first] = narrations
  const material = { audience: first?.audience ?? null, wishes: first?.instructions ?? null, slides }
  // No tag of the material can end it early.
  return `<slides>\n${JSON.stringify(material).replaceAll('<', '\\u003c')}\n</slides>`
}
