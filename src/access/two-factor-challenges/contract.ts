// A challenge on the wire.
import { text, timestamp } from '../../foundation/shapes.ts'

export const challenge = () => text(1, 200, { description: 'Names the sign-in that waits for its second factor.' })
export const challengeExpiry = () => timestamp({ description: 'Until when the challenge can be answered.' })
