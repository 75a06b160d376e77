// A user as everyone may see their own: never with the password's hash or the second factor's secret.
import { boolean, email, id, integer, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'

export const DATE_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'] as const

/** Plain addresses at a full domain: quoted names could smuggle line breaks into mail, and names without a dot are kept for closed accounts. */
export const address = () => email({ pattern: '^[^"\\s@]+@[^"\\s@]+\\.[^"\\s@]+$' })

export const profile = {
  name: text(1, 200),
  avatar_document_id: nullable(id()),
  locale: nullable(text(2, 35, { description: 'A BCP 47 language tag, such as en-US.' })),
  timezone: nullable(text(1, 64, { description: 'A name of the IANA time zone database, such as Europe/Berlin.' })),
  date_format: nullable(oneOf(DATE_FORMATS)),
  default_business_id: nullable(id({ description: 'A business that the user is an active member of.' })),
}

export const User = shape('User', {
  id: id(),
  email: text(3, 254),
  ...profile,
  status: oneOf(['unverified', 'active', 'locked', 'closed']),
  email_verified_at: nullable(timestamp()),
  two_factor_enabled: boolean(),
  password_changed_at: timestamp(),
  last_sign_in_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647),
})
