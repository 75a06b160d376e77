// Key figures: margins, liquidity and speed of payment, each with how it is computed.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { cents, list, nullable, oneOf, shape, text } from '../../foundation/shapes.ts'
import { reportHeader } from '../general-ledger/contract.ts'
import { periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format } from '../report-shape/contract.ts'

const { basis, known_at, adjusting } = figureQuery

export const keyFiguresQuery = Type.Object({ ...periodQuery, basis, known_at, adjusting, format })
export type KeyFiguresQuery = Static<typeof keyFiguresQuery>

export const UNITS = ['percent', 'ratio', 'days', 'months', 'currency'] as const

export const KeyFigure = shape('KeyFigure', {
  key: text(1, 40),
  label: Type.String(),
  unit: oneOf(UNITS, { description: 'currency: units of the base currency, with cents behind the point.' }),
  value: nullable(Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description: 'Decimal text, rounded half away from zero; null where it is undefined.' })),
  formula: Type.String({ description: 'In words, with the names of the inputs.' }),
  inputs: list(shape('KeyFigureInput', { name: Type.String(), amount: cents({ description: 'Cents of the base currency; of "days" the number itself.' }) })),
})
export type KeyFigure = Static<typeof KeyFigure>

export const KeyFigures = shape('KeyFigures', { ...reportHeader, figures: list(KeyFigure) })
export type KeyFigures = Static<typeof KeyFigures>

const endpoint = endpointsOf('reports', 'business')

export const getKeyFigures = endpoint({
  id: 'get_key_figures', method: 'GET', path: '/key-figures', summary: 'Key figures',
  description: 'Gross and net margin, current and quick ratio, DSO, DPO, cash, burn and cash runway. Without dates they cover the fiscal year to date.',
  query: keyFiguresQuery,
  reply: KeyFigures,
  refusals: ['The dates contradict each other.'],
})
