// A person's second factor in tests: turned on through the API, with the codes that their app would show.
import { TOTP, URI } from 'otpauth'
import { service } from './service.ts'
import type { Person } from './people.ts'

export type SecondFactor = { code(steps_ahead: number): string; recovery_codes: string[] }

/** Turns it on, unless an enrolment that is still to be confirmed is given. A step is used once: the next code is one step ahead. */
export async function newTotp(person: Person, enrolment?: { otpauth_uri: string }): Promise<SecondFactor> {
  const { clock } = await service()
  const given = enrolment ?? (await person.client.post('/user/two-factor/enroll')).data
  const totp = URI.parse(given.otpauth_uri) as TOTP
  const code = (steps_ahead: number) => totp.generate({ timestamp: clock.now().getTime() + steps_ahead * 30_000 })
  if (enrolment) return { code, recovery_codes: [] }
  const { data } = await person.client.post('/user/two-factor/confirm', { code: code(0) })
  return { code, recovery_codes: data.recovery_codes }
}
