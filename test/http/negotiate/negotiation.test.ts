import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesType } from '../../../src/http/negotiate/accept.ts'
import { alternateLinks } from '../../../src/http/negotiate/alternates.ts'
import {
  negotiate,
  offerAt,
  offerOf,
  problemRepresentation,
  thingOffer as resource,
} from '../../../src/http/negotiate/negotiation.ts'
import { chooseFormat } from '../../../src/http/request/routed-address.ts'
import { noQuery, readQueryString } from '../../../src/queries/query-string.ts'
import { html } from '../../../src/representations/html.ts'
import { json } from '../../../src/representations/json.ts'
import { representations } from '../../../src/representations/representations.ts'
import { xml } from '../../../src/representations/xml.ts'

const page = offerAt({ offers: 'collection' })

/** The name of what is sent, `406`, or for the second type of a representation its content type. */
function sent(accept: string | undefined, available = page, forced?: string): string {
  const negotiated = negotiate(accept, forced, available)
  return 'unacceptable' in negotiated ? '406' : negotiated.representation.name
}

const contentType = (accept: string) => {
  const negotiated = negotiate(accept, undefined, page)
  return 'unacceptable' in negotiated ? '406' : negotiated.contentType
}

function table(cases: { readonly [accept: string]: string }, available = page): void {
  for (const [accept, expected] of Object.entries(cases)) {
    assert.equal(sent(accept, available), expected, accept)
    assert.equal(sent(accept, available), expected, `${accept}, once more`)
  }
}

test('JSON is sent to whoever takes anything', () => {
  assert.equal(sent(undefined), 'json')
  table({ '': 'json', ' ': 'json', '*/*': 'json', '*': 'json', '*/*;q=0.1': 'json', 'application/*': 'json' })
})

test('each type asked for by its name is sent', () => {
  table({
    'application/json': 'json',
    'application/xml': 'xml',
    'text/html': 'html',
    'text/csv': 'csv',
    'application/x-ndjson': 'ndjson',
  })
  assert.equal(contentType('text/html'), 'text/html; charset=utf-8')
})

test('XML is sent as the type that was asked for', () => {
  assert.equal(contentType('text/xml'), 'text/xml; charset=utf-8')
  assert.equal(contentType('application/xml'), 'application/xml; charset=utf-8')
  assert.equal(contentType('text/xml;q=0.5, application/xml'), 'application/xml; charset=utf-8')
  assert.equal(contentType('application/xml;q=0.5, text/xml'), 'text/xml; charset=utf-8')
})

test('browsers get HTML', () => {
  table({
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7':
      'html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': 'html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8': 'html',
    'text/html, application/xhtml+xml, image/jxr, */*': 'html',
    'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01': 'html',
    'text/html, text/*;q=0.5, image/*, application/*, audio/*, video/*': 'html',
  })
})

test('programs that say little get JSON', () => {
  table({
    'application/json, text/plain, */*': 'json',
    'application/json, text/javascript, */*; q=0.01': 'json',
    'application/vnd.github+json, */*;q=0.1': 'json',
  })
})

test('Java’s own client, which names HTML first, gets HTML', () => {
  table({ 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2': 'html' })
})

test('the greater weight wins, then the closer name, then the earlier one', () => {
  table({
    'application/json;q=0.5, application/xml;q=0.6': 'xml',
    'text/csv;q=0.001': 'csv',
    '*/*, text/csv': 'csv',
    'text/*, application/x-ndjson': 'ndjson',
    'text/csv, text/html': 'csv',
    'text/html, text/csv': 'html',
    'text/*': 'html',
  })
})

test('the most specific range decides a type’s weight, whatever its place', () => {
  table({
    'text/*;q=0.3, text/html;q=0.7, application/json;q=0.5': 'html',
    'text/html;q=0.2, text/*, application/json;q=0.5': 'csv',
    'application/json;q=0.1, */*;q=0.5': 'xml',
  })
})

test('a weight of zero refuses', () => {
  table({
    'application/json;q=0': '406',
    'application/json;q=0, */*': 'xml',
    'application/json;q=0.000, application/xml;q=0, text/html': 'html',
    '*/*;q=0': '406',
    'text/*;q=0, text/csv': 'csv',
  })
})

test('letter case and white space do not matter', () => {
  table({ 'Application/JSON': 'json', 'TEXT/HTML ; Q=0.9 ,\ttext/csv;q=0.8': 'html', ', ,text/csv,': 'csv' })
})

test('parameters of a type are ignored, but a range without them is closer', () => {
  table({
    'application/json; charset=utf-8': 'json',
    'text/html;charset="a,b;q=0";q=0.5, text/csv;q=0.4': 'html',
    'text/html;level=1;q=0.1, text/html;q=0.9, text/csv;q=0.5': 'html',
    'text/csv;header=present': 'csv',
    'text/html;q=0.5;ext=1, text/csv;q=0.4': 'html',
  })
})

test('what is no media range counts as not sent', () => {
  table({
    'image/png': '406',
    garbage: '406',
    '*/json': '406',
    'a/b/c': '406',
    'text/html;q=high, text/csv;q=0.1': 'csv',
    'text/html;q=7, text/csv;q=0.1': 'csv',
    'text/html;q=, text/csv;q=0.1': 'csv',
    'text/html;q=., text/csv;q=0.1': 'csv',
  })
})

test('rows cannot be had of a single thing', () => {
  table({ 'text/csv': '406', 'text/csv, application/xml;q=0.1': 'xml' }, resource)
  assert.equal(sent(undefined, resource, 'csv'), '406')
})

test('a format in the address wins over Accept', () => {
  assert.equal(sent('text/html', page, 'xml'), 'xml')
  assert.equal(sent('application/xml;q=0', page, 'xml'), 'xml')
  assert.equal(sent('text/html', page, 'frob'), '406')
  assert.equal(sent('text/html', page, ''), '406')
})

test('who accepts only problem documents gets the answer in their format', () => {
  table({
    'application/problem+json': 'json',
    'application/problem+xml': 'xml',
    'application/problem+json, text/csv': 'csv',
  })
  assert.equal(contentType('application/problem+json'), 'application/json')
})

test('very many different headers are each still answered rightly', () => {
  for (let i = 0; i < 2000; i++) assert.equal(sent(`text/csv, x/y${i}`), 'csv')
  assert.equal(sent(`text/csv, x/${'y'.repeat(5000)}`), 'csv')
})

test('a problem comes in the negotiated format, and in JSON where that cannot carry it', () => {
  const problem = (accept: string | undefined, forced?: string) =>
    problemRepresentation(accept, forced, offerOf(representations)).contentType
  assert.equal(problem(undefined), 'application/problem+json')
  assert.equal(problem('*/*'), 'application/problem+json')
  assert.equal(problem(''), 'application/problem+json')
  assert.equal(problem('application/json'), 'application/problem+json')
  assert.equal(problem('application/problem+json'), 'application/problem+json')
  assert.equal(problem('application/xml'), 'application/problem+xml; charset=utf-8')
  assert.equal(problem('text/xml'), 'application/problem+xml; charset=utf-8')
  assert.equal(problem('text/html,application/xml;q=0.9,*/*;q=0.8'), 'text/html; charset=utf-8')
  assert.equal(problem('text/csv'), 'application/problem+json')
  assert.equal(problem('text/csv, application/problem+xml;q=0.1'), 'application/problem+xml; charset=utf-8')
  assert.equal(problem('image/png'), 'application/problem+json')
  assert.equal(problem('text/html', 'xml'), 'application/problem+xml; charset=utf-8')
  assert.equal(problem('text/html', 'csv'), 'application/problem+json')
  assert.equal(problem('text/html', 'frob'), 'text/html; charset=utf-8')
})

test('a type is named only by its name', () => {
  assert.equal(namesType('text/event-stream', 'text/event-stream'), true)
  assert.equal(namesType('Text/Event-Stream;charset=utf-8, */*', 'text/event-stream'), true)
  assert.equal(namesType('text/event-stream;q=0', 'text/event-stream'), false)
  assert.equal(namesType('*/*', 'text/event-stream'), false)
  assert.equal(namesType(undefined, 'text/event-stream'), false)
})

const literal = new Set(['/openapi.json'])
const choose = (url: string, method = 'GET') => {
  const { query, ...choice } = chooseFormat(method, url, (path) => literal.has(path))
  assert.equal(query.text, url.split('?')[1] ?? '')
  return choice
}

test('a registered suffix is taken off the path', () => {
  assert.deepEqual(choose('/customers.xml'), { url: '/customers', forced: 'xml' })
  assert.deepEqual(choose('/customers.csv?age>=1.5&a=b.c'), { url: '/customers?age>=1.5&a=b.c', forced: 'csv' })
  assert.deepEqual(choose('/rest/v1/deals/.html', 'HEAD'), { url: '/rest/v1/deals/', forced: 'html' })
  assert.deepEqual(choose('/.json'), { url: '/', forced: 'json' })
  assert.deepEqual(choose('/a.b/c.xml.json?d'), { url: '/a.b/c%2Exml?d', forced: 'json' })
})

test('nothing else is a suffix', () => {
  for (const url of ['/customers', '/customers.frob', '/a.json/b', '/customers.JSON', '/customers?x=.json', '/', '*']) {
    assert.deepEqual(choose(url), { url })
  }
  assert.deepEqual(choose('/openapi.json'), { url: '/openapi.json' })
  assert.deepEqual(choose('/openapi.json?format=xml'), { url: '/openapi.json?format=xml', forced: 'xml' })
  assert.deepEqual(choose('http://example.json'), { url: 'http://example.json' })
})

test('a suffix is for reading only', () => {
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
    assert.deepEqual(choose('/rest/commands/a.json', method), { url: '/rest/commands/a.json' })
  }
})

test('format is found in the query and stays there', () => {
  assert.deepEqual(choose('/c?format=xml'), { url: '/c?format=xml', forced: 'xml' })
  assert.deepEqual(choose('/c?a=1&format=csv&b=2', 'POST'), { url: '/c?a=1&format=csv&b=2', forced: 'csv' })
  assert.deepEqual(choose('/c?format=%78ml'), { url: '/c?format=%78ml', forced: 'xml' })
  for (const url of ['/c?xformat=xml', '/c?formats=xml', '/c?a=format', '/format=xml', '/c?a=b/format=c', '/c?']) {
    assert.deepEqual(choose(url), { url })
  }
})

test('an unknown, empty, broken or contradictory format survives to be refused', () => {
  const forced = (url: string) => choose(url).forced
  assert.equal(forced('/c?format=frob'), 'frob')
  assert.equal(forced('/c?format='), '')
  assert.equal(forced('/c?format'), '')
  assert.equal(forced('/c?format&a=1'), '')
  assert.equal(forced('/c?format=%E0'), '%E0')
  assert.equal(forced('/c?format=xml&format=csv'), 'xml,csv')
  assert.equal(forced('/c?format=xml&format=xml'), 'xml')
})

test('the suffix wins over format', () => {
  assert.equal(choose('/c.csv?format=xml').forced, 'csv')
})

const at = (path: string, query = noQuery, suffix = '') => ({ path, query, suffix })

test('the other representations are linked relative to the request, as it asked for its own', () => {
  const eighteen = readQueryString('age=18')
  assert.equal(
    alternateLinks(at('/customers', eighteen), [json, xml, html], json),
    '<?age=18&format=xml>; rel="alternate"; type="application/xml", <?age=18&format=html>; rel="alternate"; type="text/html"',
  )
  assert.equal(
    alternateLinks(at('/customers', eighteen, '.json'), [json, xml], json),
    '<customers.xml?age=18>; rel="alternate"; type="application/xml"',
  )
  const target = (own: ReturnType<typeof at>) => /<(.*?)>/.exec(alternateLinks(own, [xml], json))?.[1]
  assert.equal(target(at('/')), '?format=xml')
  assert.equal(target(at('/rest/v1/deals/')), '?format=xml')
  assert.equal(target(at('/rest/v1/deals', noQuery, '.html')), 'deals.xml')
  assert.equal(target(at('/query/deals-by-owner/a:b', noQuery, '.html')), './a:b.xml', 'a: is no scheme')
  assert.equal(alternateLinks(at('/customers'), [json], json), '')
})

test('a link to another representation drops format, and the paging for those that are the whole result', () => {
  const query = readQueryString('format=json&age>=18&page=2&maxpagesize=5&format')
  const links = alternateLinks(at('/customers', query), page.representations, json)
  assert.match(links, /<\?age%3E=18&page=2&maxpagesize=5&format=xml>/)
  assert.match(links, /<\?age%3E=18&format=ndjson>/)
  assert.match(links, /<\?age%3E=18&format=csv>/)
})

test('a link carries any address safely', () => {
  const [target = ''] = alternateLinks(
    at('/a"b', readQueryString('name=<x> \u00e9\\^`{|}'), '.json'),
    [xml],
    json,
  ).split('>;')
  assert.equal(target, '<a%22b.xml?name=%3Cx%3E%20%E9%5C%5E%60%7B%7C%7D')
})
