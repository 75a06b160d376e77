// A mail token on the wire.
import { text } from '../../foundation/shapes.ts'

export const mailToken = () => text(1, 200, { description: 'The token that was mailed. It works once.' })
