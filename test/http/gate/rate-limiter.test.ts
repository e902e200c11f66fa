import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { callerAddress } from '../../../src/http/connection/caller-address.ts'
import { limitRate } from '../../../src/http/gate/rate-limiter.ts'

suite('a rate limit', () => {
  test('allows its quota at once and then as it refills', () => {
    const { take, policy } = limitRate({ quota: 3, seconds: 60 })
    assert.equal(policy, '"default";q=3;w=60')
    const at = (now: number) => take('ann', now)
    assert.deepEqual(at(0), { allowed: true, header: '"default";r=2;t=20', retryAfter: 1 })
    assert.deepEqual(at(0), { allowed: true, header: '"default";r=1;t=40', retryAfter: 1 })
    assert.deepEqual(at(0), { allowed: true, header: '"default";r=0;t=60', retryAfter: 1 })
    assert.deepEqual(at(0), { allowed: false, header: '"default";r=0;t=60', retryAfter: 20 })
    assert.deepEqual(at(15_000), { allowed: false, header: '"default";r=0;t=45', retryAfter: 5 })
    assert.equal(at(20_000).allowed, true)
    assert.equal(at(20_000).allowed, false)
    assert.equal(at(1_000_000).header, '"default";r=2;t=20')
  })

  test('never allows more than its quota in a window that begins full, whenever the requests come', () => {
    const { take } = limitRate({ quota: 7, seconds: 1 })
    let allowed = 0
    for (let now = 0; now < 10_000; now += 3) if (take('ann', now).allowed) allowed++
    assert.ok(allowed >= 69 && allowed <= 77, String(allowed))
  })

  test('counts each caller apart', () => {
    const { take } = limitRate({ quota: 1, seconds: 60 })
    assert.equal(take('ann', 0).allowed, true)
    assert.equal(take('ben', 0).allowed, true)
    assert.equal(take('ann', 0).allowed, false)
  })

  test('forgets the caller heard from longest ago when there are too many', () => {
    const { take } = limitRate({ quota: 1, seconds: 60 })
    for (let n = 0; n < 10_001; n++) take(String(n), 0)
    assert.equal(take('10000', 0).allowed, false)
    assert.equal(take('0', 0).allowed, true)
  })
})

suite('an address, as limits see it', () => {
  test('is the whole of IPv4 and the network of IPv6', () => {
    for (const [ip, caller] of Object.entries({
      '192.0.2.1': '192.0.2.1',
      '::ffff:192.0.2.1': '192.0.2.1',
      '::1': '0:0:0:0',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      '2001:db8:1:2::6': '2001:db8:1:2',
      '2001:db8::6': '2001:db8:0:0',
      'fe80::1%eth0': 'fe80:0:0:0',
      '192.0.2.1:50123': '192.0.2.1',
      '[2001:db8::6]:50123': '2001:db8:0:0',
      '[::ffff:192.0.2.1]': '192.0.2.1',
    })) {
      assert.equal(callerAddress(ip), caller, ip)
    }
  })
})
