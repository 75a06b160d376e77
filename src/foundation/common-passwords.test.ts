// Tests of the common passwords: the list, the patterns, and what must still be allowed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  'password1234',
  'Password1234',
  'QWERTYUIOP123',
  '1qaz2wsx3edc',
  'administrator',
  'contraseña123',
  'correcthorsebatterystaple',
  'qwertyuiop[]\\',
])('%s is on the list', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each([
  'aaaaaaaaaaaa',
  '............',
  'éééééééééééé',
  '123456789012',
  '890123456789',
  '987654321098',
  '210987654321',
  'abcdefghijkl',
  'zyxwvutsrqpo',
  'ababababababab',
  'abc1abc1abc1',
  'passwordpassword',
  'MonkeyMonkey',
  'monkey-monkey',
  'passwordpassword123!',
  'lovelovelovelove',
  'password2024',
  'Welcome@2024!',
  'summer-1999!!',
  'September2025',
])('%s is a trivial pattern', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each([
  'violet kettle ambush 41',
  'Tr0ub4dor&3-but-longer',
  'xk7Qm2vPz9Lw',
  'passwordless is the future',
  '135792468024',
  'abcdefghijkz',
  'summer 1999 in the Abruzzi',
  'kettleviolet2024',
  '789:;<=>?@AB',
  'correct horse battery',
])('%s is allowed', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

test('the case of letters does not matter', () => {
  fc.assert(
    fc.property(fc.constantFrom('iloveyou1234', 'dragondragon', 'winter2026!!'), fc.array(fc.boolean()), (password, flags) => {
      const mixed = [...password].map((character, index) => (flags[index] ? character.toUpperCase() : character)).join('')
      expect(isCommonPassword(mixed)).toBe(true)
    }),
  )
})

test('random passwords are allowed', () => {
  fc.assert(fc.property(fc.uuid({ version: 4 }), (password) => !isCommonPassword(password)))
})

test('hostile text costs no time', () => {
  const start = performance.now()
  const hostile = ['ab'.repeat(512) + 'x', 'a'.repeat(1024) + 'b', 'abc-'.repeat(256) + '!x', '1'.repeat(1023) + 'z']
  for (const text of hostile) isCommonPassword(text)
  expect(performance.now() - start).toBeLessThan(500)
})
