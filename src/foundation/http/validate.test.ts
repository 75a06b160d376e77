// The check of requests: every problem at once, where it is, in one small vocabulary.
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { boolean, date, email, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../shapes.ts'
import { bodyProblem, compileCheck } from './validate.ts'

const UPPER = '018F0000-0000-7000-8000-00000000000A'
const check = compileCheck('body', shape('Everything', {
  name: text(2, 5, { pattern: '^[a-z]+$' }),
  count: optional(integer(1, 10)),
  flag: optional(boolean()),
  day: optional(date()),
  at: optional(timestamp()),
  key: optional(id()),
  mail: optional(email()),
  kind: optional(oneOf(['a', 'b'])),
  note: optional(nullable(text(1, 10))),
  choice: optional(nullable(oneOf(['x', 'y']))),
  lines: optional(list(shape('Line', { label: text(1, 3), ids: optional(list(id())) }), { minItems: 1, maxItems: 2 })),
  inner: optional(nullable(shape('Inner', { n: integer(0) }))),
}))

it.each([
  ['a missing field', {}, ['body', 'name'], 'missing'],
  ['text that is none', { name: 5 }, ['body', 'name'], 'string_type'],
  ['text too short', { name: 'a' }, ['body', 'name'], 'string_too_short'],
  ['text too long', { name: 'abcdef' }, ['body', 'name'], 'string_too_long'],
  ['text of another form', { name: 'ABC' }, ['body', 'name'], 'value_error'],
  ['null where none can be', { name: null }, ['body', 'name'], 'string_type'],
  ['a number as text', { name: 'abc', count: '3' }, ['body', 'count'], 'int_type'],
  ['a broken number', { name: 'abc', count: 1.5 }, ['body', 'count'], 'int_type'],
  ['a number too small', { name: 'abc', count: 0 }, ['body', 'count'], 'greater_than_equal'],
  ['a number too large', { name: 'abc', count: 11 }, ['body', 'count'], 'less_than_equal'],
  ['a flag as text', { name: 'abc', flag: 'true' }, ['body', 'flag'], 'bool_type'],
  ['a day that does not exist', { name: 'abc', day: '2026-02-29' }, ['body', 'day'], 'date_parsing'],
  ['a time without a zone', { name: 'abc', at: '2026-02-28T10:00:00' }, ['body', 'at'], 'datetime_parsing'],
  ['an id that is none', { name: 'abc', key: '123' }, ['body', 'key'], 'uuid_parsing'],
  ['an address that is none', { name: 'abc', mail: 'nobody' }, ['body', 'mail'], 'value_error'],
  ['a value that is not offered', { name: 'abc', kind: 'c' }, ['body', 'kind'], 'enum'],
  ['one that may also be null', { name: 'abc', choice: 'z' }, ['body', 'choice'], 'enum'],
  ['an object as a list', { name: 'abc', lines: {} }, ['body', 'lines'], 'list_type'],
  ['an empty list', { name: 'abc', lines: [] }, ['body', 'lines'], 'value_error'],
  ['a list too long', { name: 'abc', lines: [{ label: 'a' }, { label: 'b' }, { label: 'c' }] }, ['body', 'lines'], 'value_error'],
  ['deep in a list', { name: 'abc', lines: [{ label: 'a' }, { label: 'b', ids: ['x'] }] }, ['body', 'lines', 1, 'ids', 0], 'uuid_parsing'],
  ['a missing field in a list', { name: 'abc', lines: [{}] }, ['body', 'lines', 0, 'label'], 'missing'],
  ['a list as an object', [], ['body'], 'object_type'],
  ['no object at all', 'abc', ['body'], 'object_type'],
  ['NUL in text', { name: 'a\0c' }, ['body', 'name'], 'value_error'],
  ['half a character', { name: 'a\ud800' }, ['body', 'name'], 'value_error'],
])('%s', (_what, body, loc, type) => {
  const { problems } = check(body)
  expect(problems.map((problem) => ({ loc: problem.loc, type: problem.type }))).toEqual([{ loc, type }])
  expect(problems[0]?.msg).toMatch(/^[A-Z].*\.$/)
})

it('tells all problems at once', () => {
  const { problems } = check({ name: '', count: 99, kind: 'z', lines: [{ label: 'long' }] })
  expect(problems.map(({ loc }) => loc.join('.'))).toEqual(expect.arrayContaining(['body.name', 'body.count', 'body.kind', 'body.lines.0.label']))
})

it('ignores what it does not know, also names that every object has', () => {
  const { value, problems } = check(JSON.parse('{"name":"abc","unknown":1,"__proto__":{"polluted":true},"constructor":1,"lines":[{"label":"a","x":1}]}'))
  expect(problems).toEqual([])
  expect(value).toEqual({ name: 'abc', lines: [{ label: 'a' }] })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it('keeps a null that means something and drops one that does not; ids become lower case', () => {
  expect(check({ name: 'abc', note: null, choice: null, inner: null, count: null, key: UPPER, lines: [{ label: 'a', ids: [UPPER] }] })).toEqual({
    value: { name: 'abc', note: null, choice: null, inner: null, key: UPPER.toLowerCase(), lines: [{ label: 'a', ids: [UPPER.toLowerCase()] }] },
    problems: [],
  })
})

it('reads numbers, flags and lists out of the text of a query', () => {
  const query = compileCheck('query', Type.Object({ limit: optional(integer(1, 1000)), all: optional(boolean()), kinds: optional(list(oneOf(['a', 'b']))), key: optional(id()) }))
  expect(query({ limit: '10', all: 'false', kinds: ['a,b', 'a'], key: UPPER, unknown: 'x' })).toEqual({ value: { limit: 10, all: false, kinds: ['a', 'b', 'a'], key: UPPER.toLowerCase() }, problems: [] })
  expect(query({ limit: ['1', '2'] }).value).toEqual({ limit: 2 })
  expect(query({ limit: '1e2', all: 'yes', kinds: 'c' }).problems.map(({ loc, type }) => [loc.join('.'), type])).toEqual(expect.arrayContaining([
    ['query.limit', 'int_type'], ['query.all', 'bool_type'], ['query.kinds.0', 'enum'],
  ]))
})

it('a body that is missing looks like every other problem', () => {
  expect(bodyProblem('missing', 'A JSON body is required.')).toEqual({ loc: ['body'], msg: 'A JSON body is required.', type: 'missing' })
})
