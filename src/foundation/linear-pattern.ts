// Regular expressions that never take longer than the length of the text times that of the pattern: what people write may be
// run over a thousand texts. Like RE2 it knows neither backreferences nor lookaround; it answers only whether there is a match.
import { invalid } from './refusal.ts'

export type LinearPattern = { test(text: string): boolean }

type Accepts = (character: string) => boolean
type Step = { kind: 'take'; accepts: Accepts } | { kind: 'split'; to: [number, number] } | { kind: 'jump'; to: number } | { kind: 'at'; holds: Anchor } | { kind: 'match' }
type Anchor = (text: readonly string[], index: number) => boolean

type Node =
  | { kind: 'take'; accepts: Accepts }
  | { kind: 'at'; holds: Anchor }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'either'; choices: Node[] }
  | { kind: 'repeat'; part: Node; least: number; most: number | null }

const MOST_STEPS = 1000
const MOST_REPEATS = 100

/** Ignores case. A 400 where the pattern cannot be read, or asks for what would not be linear. */
export function linearPattern(source: string): LinearPattern {
  const steps: Step[] = []
  emit(steps, parse(source))
  steps.push({ kind: 'match' })
  return { test: (text) => run(steps, [...text.toLowerCase()]) }
}

function wrong(why: string) {
  return invalid(`The regular expression cannot be used: ${why}.`)
}

function parse(source: string): Node {
  const characters = [...source]
  let index = 0
  const peek = () => characters[index]
  const next = () => characters[index++]

  const either = (depth: number): Node => {
    if (depth > 20) throw wrong('its groups are nested too deeply')
    const choices = [all(depth)]
    while (peek() === '|') {
      next()
      choices.push(all(depth))
    }
    return choices.length === 1 ? (choices[0] as Node) : { kind: 'either', choices }
  }

  const all = (depth: number): Node => {
    const parts: Node[] = []
    while (peek() !== undefined && peek() !== '|' && peek() !== ')') parts.push(repeated(atom(depth)))
    return { kind: 'all', parts }
  }

  const repeated = (part: Node): Node => {
    const bounds = quantifier()
    if (!bounds) return part
    if (part.kind === 'at') throw wrong('an anchor cannot be repeated')
    // Lazy or not makes no difference where only the match counts.
    if (peek() === '?') next()
    if (['*', '+', '{'].includes(peek() ?? '')) throw wrong('a repetition cannot be repeated')
    return { kind: 'repeat', part, ...bounds }
  }

  const quantifier = (): { least: number; most: number | null } | null => {
    const plain = { '*': { least: 0, most: null }, '+': { least: 1, most: null }, '?': { least: 0, most: 1 } }[peek() ?? '']
    if (plain) {
      next()
      return plain
    }
    const counted = peek() === '{' && /^\{(\d{1,3})(?:(,)(\d{0,3}))?\}/.exec(characters.slice(index, index + 10).join(''))
    if (!counted) return null
    index += counted[0].length
    const least = Number(counted[1])
    const most = counted[2] === undefined ? least : counted[3] === '' ? null : Number(counted[3])
    if (least > MOST_REPEATS || (most ?? 0) > MOST_REPEATS || (most !== null && most < least)) throw wrong(`it repeats more than ${MOST_REPEATS} times, or backwards`)
    return { least, most }
  }

  const atom = (depth: number): Node => {
    const character = next() as string
    if (character === '(') return group(depth)
    if (character === '[') return { kind: 'take', accepts: set() }
    if (character === '.') return { kind: 'take', accepts: () => true }
    if (character === '^') return { kind: 'at', holds: (_text, at) => at === 0 }
    if (character === '$') return { kind: 'at', holds: (text, at) => at === text.length }
    if ('*+?'.includes(character)) throw wrong(`there is nothing before ${character} to repeat`)
    if (character !== '\\') return literal(character)
    if (peek() === 'b' || peek() === 'B') {
      const inside = next() === 'b'
      return { kind: 'at', holds: (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === inside }
    }
    return { kind: 'take', accepts: escaped() }
  }

  const group = (depth: number): Node => {
    if (peek() === '?') {
      next()
      if (next() !== ':') throw wrong('only plain groups are known, neither lookaround nor names')
    }
    const inside = either(depth + 1)
    if (next() !== ')') throw wrong('a group is not closed')
    return inside
  }

  const set = (): Accepts => {
    const negated = peek() === '^'
    if (negated) next()
    const accepted: Accepts[] = []
    for (let first = true; peek() !== ']' || first; first = false) {
      const from = next()
      if (from === undefined) throw wrong('a set of characters is not closed')
      if (from === '\\') {
        accepted.push(escaped())
      } else if (peek() === '-' && characters[index + 1] !== undefined && characters[index + 1] !== ']') {
        next()
        const to = next() as string
        if (to < from) throw wrong(`${from}-${to} runs backwards`)
        accepted.push((character) => (character >= from.toLowerCase() && character <= to.toLowerCase()) || (character.toUpperCase() >= from && character.toUpperCase() <= to))
      } else {
        accepted.push((character) => character === from.toLowerCase())
      }
    }
    next()
    return (character) => accepted.some((accepts) => accepts(character)) !== negated
  }

  const escaped = (): Accepts => {
    const character = next()
    if (character === undefined) throw wrong('it ends in a backslash')
    const known = CLASSES[character]
    if (known) return known
    if (/[1-9a-z]/i.test(character)) throw wrong(`\\${character} is not known`)
    return (other) => other === character
  }

  const node = either(0)
  if (index < characters.length) throw wrong('a bracket is closed that was not opened')
  return node
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
const isDigit: Accepts = (character) => /\p{Nd}/u.test(character)
const isBlank: Accepts = (character) => /\s/.test(character)

const CLASSES: Record<string, Accepts> = {
  d: isDigit, D: (character) => !isDigit(character), w: isWord, W: (character) => !isWord(character), s: isBlank, S: (character) => !isBlank(character),
}

function literal(character: string): Node {
  const wanted = character.toLowerCase()
  return { kind: 'take', accepts: (other) => other === wanted }
}

/** Writes the steps of a node, one behind the other. */
function emit(steps: Step[], node: Node): void {
  if (steps.length > MOST_STEPS) throw wrong('it is too long')
  if (node.kind === 'take' || node.kind === 'at') {
    steps.push(node)
  } else if (node.kind === 'all') {
    for (const part of node.parts) emit(steps, part)
  } else if (node.kind === 'either') {
    emitEither(steps, node.choices)
  } else {
    for (let count = 0; count < node.least; count++) emit(steps, node.part)
    if (node.most === null) emitLoop(steps, node.part)
    else emitOptional(steps, node.part, node.most - node.least)
  }
}

function emitEither(steps: Step[], choices: readonly Node[]): void {
  const ends: { kind: 'jump'; to: number }[] = []
  for (const [index, choice] of choices.entries()) {
    const split: Step & { kind: 'split' } = { kind: 'split', to: [steps.length + 1, 0] }
    if (index < choices.length - 1) steps.push(split)
    emit(steps, choice)
    if (index === choices.length - 1) continue
    const end = { kind: 'jump' as const, to: 0 }
    steps.push(end)
    ends.push(end)
    split.to[1] = steps.length
  }
  for (const end of ends) end.to = steps.length
}

function emitLoop(steps: Step[], part: Node): void {
  const start = steps.length
  const split: Step & { kind: 'split' } = { kind: 'split', to: [start + 1, 0] }
  steps.push(split)
  emit(steps, part)
  steps.push({ kind: 'jump', to: start })
  split.to[1] = steps.length
}

function emitOptional(steps: Step[], part: Node, times: number): void {
  const splits = Array.from({ length: times }, () => {
    const split: Step & { kind: 'split' } = { kind: 'split', to: [steps.length + 1, 0] }
    steps.push(split)
    emit(steps, part)
    return split
  })
  for (const split of splits) split.to[1] = steps.length
}

/** All the places where a match can stand are followed at once, so that nothing is ever tried again. */
function run(steps: readonly Step[], text: readonly string[]): boolean {
  let current = new Set<number>()
  for (let index = 0; index <= text.length; index++) {
    if (follow(steps, text, index, current, 0)) return true
    const after = new Set<number>()
    const character = text[index]
    if (character === undefined) return false
    for (const place of current) {
      const step = steps[place]
      if (step?.kind === 'take' && step.accepts(character) && follow(steps, text, index + 1, after, place + 1)) return true
    }
    current = after
  }
  return false
}

/** Adds a place and all that are reached from it without a character; true where the match is among them. */
function follow(steps: readonly Step[], text: readonly string[], index: number, places: Set<number>, from: number): boolean {
  const waiting = [from]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const step = steps[place] as Step
    if (step.kind === 'match') return true
    if (step.kind === 'jump') waiting.push(step.to)
    else if (step.kind === 'split') waiting.push(...step.to)
    else if (step.kind === 'at' && step.holds(text, index)) waiting.push(place + 1)
  }
  return false
}
