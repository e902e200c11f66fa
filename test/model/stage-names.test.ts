import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stagesKind } from '../../src/model/nouns/pipeline/kinds.ts'

test('the name of a new stage is its title, spelled without marks', () => {
  const titles = ['Größe/Änderung', 'Über uns', 'Clôture à l’œil', 'Señal', 'Łódź', '中文', 'Über uns']
  const made = stagesKind.fromParts?.(titles.map((title) => ({ title }))) as readonly { readonly name: string }[]
  assert.deepEqual(
    made.map(({ name }) => name),
    ['groesse-aenderung', 'ueber-uns', 'cloture-a-l-oeil', 'senal', 'lodz', 'stage', 'ueber-uns-2'],
  )
})
