// What is sent to show who one is. Only its length is limited: whether it is right is counted, not explained.
import { text } from '../../foundation/shapes.ts'

export const password = () => text(1, 1000, { description: 'The password of the account.' })
