import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Described, vocabularyOf } from '../../../src/http/describe/vocabulary.ts'
import { buildSchema, NOTHING_ADDED } from '../../../src/model/schema/build-schema.ts'
import type { addedKinds } from '../../../src/model/source/added-kinds.ts'

const fields = ['text', 'integer'].map((name) => ({
  ...{ on: 'deal', name, title: name, kind: name as (typeof addedKinds)[number], required: name === 'text' },
}))
const vocabulary = vocabularyOf(buildSchema({ ...NOTHING_ADDED, fields }))

function described(name: string): Described {
  const found = vocabulary.find(({ resource }) => resource.name === name)
  assert.ok(found)
  return found
}

const names = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name)

test('a shape has all members, those of a group in it, and says which the service sets', () => {
  const { shape, resource } = described('deal')
  assert.deepEqual(
    shape.groups.map(({ name, places }) => [name, ...places.map(({ key }) => key)]),
    [['own', 'text', 'integer']],
  )
  const all = [...shape.plain, ...shape.groups.flatMap(({ places }) => places)]
  assert.deepEqual(names(all), resource.names)
  const isAssigned = new Map(all.map(({ name, member }) => [name, member.isAssigned]))
  assert.deepEqual(
    ['id', 'revision', 'name', 'own.text'].map((name) => isAssigned.get(name)),
    [true, true, false, false],
  )
})

test('an action has the id of its thing, unless it makes one, its parameters by their places, and a role', () => {
  const { actions } = described('deal')
  assert.equal(actions.length, described('deal').resource.operations.length)
  const about = (name: string) => {
    const action = actions.find(({ operation }) => operation.name === name)
    assert.ok(action)
    const { takes, places, needs, leaves } = action
    assert.deepEqual(names([...places.plain, ...places.groups.flatMap((group) => group.places)]), names(takes))
    return {
      first: takes[0]?.name,
      required: takes.some(({ name, required }) => name === 'id' && required),
      needs,
      leaves,
    }
  }
  assert.deepEqual(about('hold'), { first: 'id', required: true, needs: 'editor', leaves: 'thing' })
  assert.deepEqual(about('create'), { first: 'name', required: false, needs: 'editor', leaves: 'thing' })
  assert.equal(about('delete').leaves, 'deleted thing')
  const removing = vocabulary.flatMap(({ actions }) => actions).filter(({ operation }) => operation.removes)
  assert.deepEqual([...new Set(removing.map(({ leaves }) => leaves))], ['nothing'])
})

test('a listing has filters on its own fields, and the references through which filters reach others', () => {
  const { listing } = described('deal')
  assert.deepEqual(names(listing.references), ['customer'])
  assert.ok(listing.collection.relations.has('tasks'))
  assert.ok(names(listing.filters).includes('own.integer'))
  assert.ok(!names(listing.filters).some((name) => name.startsWith('customer.')))
  assert.deepEqual(names(listing.places.groups), ['own'])
})
