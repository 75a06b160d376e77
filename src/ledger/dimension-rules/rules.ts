// Which values of dimensions a line carries: what it was given, held against the rules, and the defaults for what is absent.
import type { Static } from 'typebox'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { BookLedger } from '../books/contract.ts'
import type { BookDimension, BookDimensionRow, BookDimensions, BookRule, BookRuleRow, BookValue } from './contract.ts'

/** `tags_as_given`: the line takes back what an earlier line carries, whatever the rules say by now. Only the service asks for it. */
export type TaggedLine = { dimension_value_ids?: readonly string[] | undefined; tags_as_given?: boolean | undefined }

type Asked = Pick<BookLedger, 'id' | 'type' | 'number' | 'name'>

/**
 * The ids of the values that the line carries, sorted, at most one of each dimension. An entry of the service itself
 * (`automatic`) is filled up like any other but never refused, so that what was archived or forbidden since does not stop it;
 * an id that does not exist is a 404 for everybody.
 */
export function applyDimensionRules(
  dimensions: BookDimensions, ledger: Asked, line: TaggedLine, date: string, automatic: boolean, line_number: number,
): string[] {
  const given = line.dimension_value_ids ?? []
  if (line.tags_as_given) return [...given].sort()
  if (given.length === 0 && dimensions.active.length === 0) return []
  const place = `Line ${line_number} (${labelOf(ledger)})`
  const chosen = new Map<string, string>()
  for (const value of valuesOf(dimensions, given, line_number)) {
    const dimension = dimensions.dimensions.get(value.dimension_id) as BookDimension
    const other = chosen.get(dimension.id)
    if (other !== undefined && other !== value.id && !automatic) throw invalid(`${place} carries two values of the dimension ${dimension.name}: leave one.`)
    if (!automatic) requireUsable(dimension, value, date, place)
    if (other === undefined) chosen.set(dimension.id, value.id)
  }
  for (const dimension of dimensions.active) complete(dimensions, dimension, ledger, date, automatic, place, chosen)
  return [...chosen.values()].sort()
}

/** Holds one dimension against the rule for the ledger, and puts the default where the line has no value. */
function complete(
  dimensions: BookDimensions, dimension: BookDimension, ledger: Asked, date: string, automatic: boolean, place: string, chosen: Map<string, string>,
): void {
  const rule = ruleFor(dimension, ledger)
  if (!rule) return
  if (chosen.has(dimension.id)) {
    if (rule.mode === 'forbidden' && !automatic) throw forbiddenValue(place, dimension)
    return
  }
  const value = rule.default_value_id === null ? undefined : dimensions.values.get(rule.default_value_id)
  if (value && unusable(value, date) === null) chosen.set(dimension.id, value.id)
  else if (rule.mode === 'required' && !automatic) throw invalid(`${place} needs a value of the dimension ${dimension.name}.`)
}

/** What the ledger asks of a dimension, by the most specific rule there is. */
export function ruleFor(dimension: BookDimension, ledger: Pick<BookLedger, 'id' | 'type'>): BookRule | null {
  return dimension.by_ledger.get(ledger.id) ?? dimension.by_type.get(ledger.type) ?? dimension.for_all
}

/** Refuses a value that new lines of this date may not carry. */
export function requireUsable(dimension: Pick<BookDimension, 'name' | 'archived'>, value: BookValue, date: string, place: string): void {
  if (dimension.archived) throw invalid(`${place}: the dimension ${dimension.name} is archived; restore it, or leave its value out.`)
  const reason = unusable(value, date)
  if (reason) throw invalid(`${place}: ${dimension.name} ${value.code} ${value.name} ${reason}`)
}

export function forbiddenValue(place: string, dimension: Pick<BookDimension, 'name'>) {
  return invalid(`${place} takes no value of the dimension ${dimension.name}: leave it out.`)
}

function unusable(value: BookValue, date: string): string | null {
  if (value.merged_into_id !== null) return 'is merged into another value: use that one.'
  if (value.archived) return 'is archived: restore it, or use another value.'
  if (value.valid_from !== null && date < value.valid_from) return `is valid from ${value.valid_from} only, not on ${date}.`
  if (value.valid_to !== null && date > value.valid_to) return `is valid until ${value.valid_to} only, not on ${date}.`
  return null
}

/** All of them are looked up before any is judged: what does not exist is told first. */
function valuesOf(dimensions: BookDimensions, ids: readonly string[], line_number: number): BookValue[] {
  return ids.map((id) => {
    const value = dimensions.values.get(id)
    if (!value) throw notFound(`Dimension value ${id} of line ${line_number}`)
    return value
  })
}

function labelOf({ number, name }: Asked): string {
  return number === null ? name : `${number} ${name}`
}

/** Puts the rows as they are stored in the order in which postings ask for them. */
export function arranged(
  dimensions: readonly Static<typeof BookDimensionRow>[], values: readonly BookValue[], rules: readonly Static<typeof BookRuleRow>[],
): BookDimensions {
  const byDimension = Map.groupBy(rules, ({ dimension_id }) => dimension_id)
  const all = dimensions.map((dimension): BookDimension => {
    const own = byDimension.get(dimension.id) ?? []
    return {
      ...dimension,
      by_ledger: new Map(own.flatMap((rule) => (rule.ledger_id === null ? [] : [[rule.ledger_id, rule]]))),
      by_type: new Map(own.flatMap((rule) => (rule.ledger_type === null ? [] : [[rule.ledger_type, rule]]))),
      for_all: own.find((rule) => rule.ledger_id === null && rule.ledger_type === null) ?? null,
    }
  })
  return {
    dimensions: new Map(all.map((dimension) => [dimension.id, dimension])),
    active: all.filter((dimension) => !dimension.archived),
    values: new Map(values.map((value) => [value.id, value])),
  }
}
