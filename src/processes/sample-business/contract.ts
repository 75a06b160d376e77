// What the books of a sample come to.
import type { Static } from 'typebox'
import { cents, shape } from '../../foundation/shapes.ts'

export const SampleFigures = shape('SampleFigures', {
  cash: cents({ description: 'Integer cents: money that there is, as the balance sheet has it.' }),
  receivable: cents(),
  payable: cents(),
  net_income: cents({ description: 'Of the whole time of the sample, as the profit and loss statement has it.' }),
})
export type SampleFigures = Static<typeof SampleFigures>
