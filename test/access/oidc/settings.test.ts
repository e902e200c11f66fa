import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../src/config.ts'

const whole = {
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'dealdesk',
  OIDC_CLIENT_SECRET: 'secret',
  BASE_URL: 'https://deals.example.com',
}

test('without OIDC_ISSUER there is no provider', () => {
  assert.equal(readSettings({}).oidc, undefined)
})

test('what is missing is named', () => {
  for (const [missing, says] of [
    ['BASE_URL', /OIDC_ISSUER needs BASE_URL/],
    ['OIDC_CLIENT_ID', /OIDC_ISSUER needs OIDC_CLIENT_ID/],
    ['OIDC_CLIENT_SECRET', /OIDC_ISSUER needs OIDC_CLIENT_SECRET/],
    ['OIDC_ISSUER', /OIDC_CLIENT_ID needs OIDC_ISSUER/],
  ] as const) {
    assert.throws(() => readSettings({ ...whole, [missing]: undefined }), says)
  }
  assert.throws(() => readSettings({ OIDC_ROLE_CLAIM: 'groups' }), /OIDC_ROLE_CLAIM needs OIDC_ISSUER/)
})

test('ID tokens cannot be made to pass for access tokens', () => {
  assert.throws(() => readSettings({ ...whole, OIDC_AUDIENCE: 'dealdesk' }), /must not be OIDC_CLIENT_ID/)
})

test('a provider without TLS is for this machine alone', () => {
  assert.ok(readSettings({ ...whole, OIDC_ISSUER: 'http://localhost:3000' }).oidc)
  assert.throws(() => readSettings({ ...whole, OIDC_ISSUER: 'http://login.example.com' }), /OIDC_ISSUER/)
})
