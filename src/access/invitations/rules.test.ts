import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permissionsFor, ROLES } from '../permissions.ts'
import { maskAddress, mayGive, problemWith, requireOpenTarget } from './rules.ts'

const role = fc.constantFrom(...ROLES)

describe('rank', () => {
  it('never gives a permission that the giver does not hold', () => {
    fc.assert(fc.property(role, role, (own, given) => {
      const may = mayGive({ kind: 'user', role: own, permissions: permissionsFor(own) }, given)
      const holds_all = [...permissionsFor(given)].every((permission) => permissionsFor(own).has(permission))
      expect(may).toBe(holds_all && (given !== 'owner' || own === 'owner'))
    }))
  })

  it('cuts a token to what it carries', () => {
    fc.assert(fc.property(role, role, fc.subarray([...permissionsFor('owner')]), (own, given, scopes) => {
      const permissions = new Set(scopes.filter((scope) => permissionsFor(own).has(scope)))
      if (mayGive({ kind: 'token', role: own, permissions }, given)) {
        expect([...permissionsFor(given)].every((permission) => permissions.has(permission))).toBe(true)
        expect(mayGive({ kind: 'user', role: own, permissions: permissionsFor(own) }, given)).toBe(true)
      }
    }))
  })

  it('is asked again when the invitation is used', () => {
    fc.assert(fc.property(role, role, (inviter_role, given) => {
      const target = { business_name: 'B', business_status: 'active', inviter_role, inviter_status: 'active' }
      const use = () => requireOpenTarget(target, given)
      if ((inviter_role === 'owner' || inviter_role === 'admin') && !(given === 'owner' && inviter_role === 'admin')) expect(use).not.toThrow()
      else expect(use).toThrow('may no longer')
    }))
  })
})

describe('addresses', () => {
  it('are masked beyond the first letter and the domain', () => {
    expect(maskAddress('pat@example.com')).toBe('p***@example.com')
    expect(maskAddress('p@example.com')).toBe('p***@example.com')
  })

  it('are refused where known or given before', () => {
    const known = [{ email: 'in@example.com', state: 'member' }, { email: 'asked@example.com', state: 'pending' }]
    expect(problemWith('new@example.com', known, new Set())).toBeNull()
    expect(problemWith('new@example.com', known, new Set(['new@example.com']))?.detail).toContain('occurs twice')
    expect(problemWith('in@example.com', known, new Set())?.detail).toContain('in this business already')
    expect(problemWith('asked@example.com', known, new Set())?.detail).toContain('pending invitation')
  })
})
