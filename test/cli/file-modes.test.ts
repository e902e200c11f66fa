import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { suite, test } from 'node:test'
import { openDesk, openReadyDesk } from '../support/service/running-command.ts'
import { runService } from '../support/service/running-service.ts'

const modesIn = (folder: string): { readonly [name: string]: string } =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(`${folder}/${name}`)]))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

suite('files that hold secrets', { skip: process.platform === 'win32' && 'there are no modes' }, () => {
  test('a database and what lies beside it are readable by their owner alone', async () => {
    await using desk = openDesk()
    const service = await runService({ DATABASE_URL: desk.database })
    await service.request('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })
    const own = { 'dealdesk.db': '600', 'dealdesk.db-shm': '600', 'dealdesk.db-wal': '600' }
    assert.deepEqual(modesIn(desk.folder), own)
    assert.equal((await desk.run(['backup', desk.path('copy.db')])).code, 0)
    assert.equal((await desk.run(['copy', desk.database, desk.path('moved.db')])).code, 0)
    assert.deepEqual(modesIn(desk.folder), { ...own, 'copy.db': '600', 'moved.db': '600' })
    await service.close()
  })

  test('one that others could read is narrowed when it is opened, which is said in a line', async () => {
    await using desk = openReadyDesk()
    const said = (mode: string) =>
      `${desk.database} was open to other users of this machine (mode 0${mode}); it is 0600 now`
    chmodSync(desk.database, 0o644)
    const service = desk.start([])
    await service.said(/ready at/)
    assert.equal(modeOf(desk.database), '600')
    service.process.kill('SIGTERM')
    const { stderr } = await service.ended
    assert.equal(JSON.parse(stderr).msg, said('644'))

    chmodSync(desk.database, 0o660)
    const backup = await desk.run(['backup', desk.path('copy.db')])
    assert.deepEqual([backup.code, backup.stderr], [0, `${said('660')}\n`])
    assert.equal((await desk.run(['user', 'list'])).stderr, '')
  })

  test('one that cannot be served from is left as it was', async () => {
    await using desk = openDesk()
    chmodSync(desk.write('dealdesk.db', 'a shopping list'), 0o644)
    assert.equal((await desk.run(['user', 'list'])).code, 1)
    assert.equal(modeOf(desk.database), '644')
  })
})
