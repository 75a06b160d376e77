// Tests of what makes a password good enough.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import { requireGoodPassword } from './rules.ts'

describe('a good password', () => {
  it('is any long random text: nothing is asked of its characters', () => {
    fc.assert(fc.property(fc.uuid(), (password) => requireGoodPassword(password, 'pat@example.com') === undefined))
  })

  it('is never the e-mail address, however it is written', () => {
    fc.assert(fc.property(fc.emailAddress(), fc.func(fc.boolean()), (email, upper) => {
      const typed = [...email].map((character, index) => (upper(index) ? character.toUpperCase() : character)).join('')
      expect(() => requireGoodPassword(typed, email)).toThrow(Refusal)
    }))
  })

  it.each(['123456789012', 'passwordpassword', 'aaaaaaaaaaaaaa'])('is not %s', (password) => {
    expect(() => requireGoodPassword(password, 'pat@example.com')).toThrow(/Choose another/)
  })
})
