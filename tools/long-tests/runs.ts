// What `npm test` runs in a short form, at its full length: `npm run test:long -- NAME`, and what follows the name goes
// to Node's test runner, such as `--test-name-pattern=held`. A setting that the environment has wins over the one here.

export interface LongRun {
  readonly does: string
  readonly sets?: { readonly [setting: string]: string }
  /** Test files, as the test runner takes them. */
  readonly tests?: readonly string[]
  /** Further options of Node. */
  readonly options?: readonly string[]
  /** Times that they run, whatever fails: a test that fell once is found only by repetition. */
  readonly times?: number
  /** Endless loops that run meanwhile, as on a machine that others use too. */
  readonly busy?: number
  /** A tool with packages of its own: its folder in `tools`, which has a `check.ts`. */
  readonly tool?: string
}

export const runs: { readonly [name: string]: LongRun } = {
  bench: {
    does: 'the benchmark measures a read and a write, and what a change writes',
    sets: { BENCH_WORKLOADS: 'W1,W16' },
    tests: ['test/bench/bench.test.ts'],
  },
  board: {
    does: 'cards are dropped on a board of 1,000 deals, and how soon each drop is painted',
    sets: { BOARD_CARDS: '1000', MATRICES: 'all' },
    tests: ['test/browser/board.test.ts'],
    options: ['--test-name-pattern=a drop keeps the place'],
  },
  browser: {
    does: 'people do everything on a phone, without script and on a wide screen',
    sets: { BROWSER_WAYS: 'all', CLIENT_FORMS: 'all', MATRICES: 'all' },
    tests: ['test/browser/room.test.ts'],
  },
  cap: { does: "SAP's CAP imports the model of /odata and consumes it", tool: 'odata' },
  conditions: {
    does: '100,000 pairs of a thing and a condition, in memory and on both stores',
    sets: { CONDITION_ROUNDS: '40' },
    tests: ['test/store/conditions.test.ts'],
  },
  crash: {
    does: 'kill -9 under load, 300 times',
    sets: { CRASH_KILLS: '300' },
    tests: ['test/faults/crash.test.ts'],
  },
  doors: {
    does: 'each door does and refuses every operation, with every example',
    sets: { DOOR_OPERATIONS: 'all' },
    tests: ['test/doors/door-matrix.test.ts'],
  },
  failover: {
    does: 'a primary is killed after 30 s of load, and its standby promoted',
    sets: { FAILOVER_SECONDS: '30' },
    tests: ['test/faults/failover.test.ts'],
  },
  faults: {
    does: 'disks, clocks, clients and processes that fail, at full size',
    sets: { FAULT_KIT: 'full', CRASH_KILLS: '100', STREAM_STORES: 'all', MATRICES: 'all' },
    tests: [
      'test/faults/room.test.ts',
      'test/cli/beside-a-service.test.ts',
      'test/cli/import-deals.test.ts',
      'test/events/two-instances.test.ts',
      'test/monitoring/logs.test.ts',
      'test/store/postgres/connect/outage.test.ts',
      'test/store/postgres/write/two-instances.test.ts',
    ],
  },
  'feed-order': {
    does: '48 clients change one deal for 30 s; every reader sees its events in order',
    sets: { HOT_DEAL_SECONDS: '30', HOT_DEAL_INSTANCES: '2,3' },
    tests: ['test/store/postgres/feed/hot-deal.test.ts'],
  },
  forms: {
    does: 'each form refuses every wrong value of every member',
    sets: { FORM_VALUES: 'all' },
    tests: ['test/http/forms/form-matrix.test.ts'],
  },
  generated: {
    does: 'a hundred requests of each kind that /openapi.json describes',
    sets: { GENERATED_EACH: '100' },
    tests: ['test/http/describe/openapi/documented-requests.test.ts'],
  },
  histories: {
    does: '1,000 random histories of 100 steps, on both stores side by side',
    sets: { HISTORIES: '1000', HISTORY_STEPS: '100' },
    tests: ['test/histories/histories.test.ts'],
  },
  hostile: {
    does: '30,000 requests that nobody thought of, to every route',
    sets: { HOSTILE_REQUESTS: '30000' },
    tests: ['test/http/request/generated-input.test.ts'],
  },
  'hostile-files': {
    does: '2,000 files and bodies of at most 1 MB that multiply: how long others wait, and the memory that is taken',
    sets: { HOSTILE_FILES: '2000' },
    tests: ['test/hostile/hostile.test.ts'],
  },
  'live-lists': {
    does: '10,000 changes by three writers, against a model of the lists that readers follow',
    sets: { LIVE_CHANGES: '10000' },
    tests: ['test/events/live-lists.test.ts'],
  },
  matrices: {
    does: 'codings, formats, methods, dry runs, views and shown requests, each with every address; every character',
    sets: { MATRICES: 'all' },
    tests: [
      'test/http/negotiate/*.test.ts',
      'test/http/request/dry-run.test.ts',
      'test/http/request/methods.test.ts',
      'test/http/endpoints/searches.test.ts',
      'test/http/endpoints/views.test.ts',
      'test/screens/reference.test.ts',
      'test/values/fold.test.ts',
    ],
  },
  'model-changes': {
    does: 'two processes change the model and write by it, and are killed 300 times, on both stores; one that moves deals 100 times',
    sets: { MODEL_KILLS: '300', MOVE_KILLS: '100', MODEL_STORE: 'all' },
    tests: ['test/faults/model-changes.test.ts', 'test/faults/removal.test.ts'],
  },
  'own-fields': {
    does: 'a field comes to 1,000,000 deals, is filled, made unique and retired beside 500 requests a second',
    sets: { OWN_DEALS: '1000000', OWN_RATE: '500', OWN_BEFORE: '5000', OWN_STORE: 'all' },
    tests: ['test/faults/own-fields.test.ts'],
  },
  package: {
    does: 'the packed package on Node 24 and 26',
    sets: { PACKAGE_NODES: '24,26' },
    tests: ['test/package/package.test.ts'],
  },
  pages: {
    does: 'axe and a narrow screen look at every page',
    sets: { AXE_SHARE: '1' },
    tests: ['test/browser/pages.test.ts'],
  },
  postgres: {
    does: 'every test of HTTP, doors, screens and events over PostgreSQL',
    sets: { HOSTILE_REQUESTS: '1000', AGAIN_PART: 'all', MATRICES: 'all' },
    options: ['--import=./test/support/database/on-postgres.ts'],
    tests: [
      'test/on-postgres/room.test.ts',
      'test/http/room.test.ts',
      'test/doors/*.test.ts',
      'test/events/room.test.ts',
      'test/screens/{served,sign-in}/*.test.ts',
    ],
  },
  queries: {
    does: 'a thousand generated queries on each store',
    sets: { QUERY_RUNS: '1000' },
    tests: [
      'test/store/sql/select.test.ts',
      'test/http/endpoints/collections.test.ts',
      'test/http/endpoints/groups.test.ts',
    ],
  },
  routes: {
    does: 'each caller asks at every route',
    sets: { ROUTE_CALLERS: 'all' },
    tests: ['test/http/gate/routes.test.ts'],
  },
  'slow-search': {
    does: 'costly searches at full size, and how long others wait meanwhile',
    sets: { FAULT_KIT: 'full' },
    tests: ['test/faults/slow-searches.test.ts'],
  },
  soak: {
    does: 'every kind of work at once for 20 minutes',
    sets: { SOAK_MINUTES: '20' },
    tests: ['test/faults/soak.test.ts'],
  },
  steady: {
    does: 'the browser tests 30 times while two endless loops run',
    tests: ['test/browser/room.test.ts'],
    times: 30,
    busy: 2,
  },
  stories: {
    does: 'thousands of generated stories on the model and both stores',
    sets: { STORIES: '2000', MODEL_RUNS: '1000' },
    tests: ['test/store/simple-model.test.ts', 'test/store/same-outcomes.test.ts'],
  },
  stream: {
    does: 'a stream of 100,000 commands on each store, cut and sent again',
    sets: { STREAM_COMMANDS: '100000', STREAM_STORES: 'all' },
    tests: ['test/faults/command-stream.test.ts'],
  },
  'two-instances': {
    does: 'two instances get the same commands, 50 times each',
    sets: {
      ...{ COMMAND_IDS: '200', COMMAND_COPIES: '50', CLIENT_PAYMENTS: '5', BATCH_COMMANDS: '1000', BATCHES: '40' },
      MATRICES: 'all',
    },
    tests: ['test/store/postgres/write/two-instances.test.ts'],
  },
  upserts: {
    does: '100 clients upsert the same 20 references 50 times each, through two instances',
    sets: { UPSERT_CLIENTS: '100' },
    tests: ['test/store/contract.test.ts'],
    options: ['--test-name-pattern=of many upserts'],
  },
  vnu: { does: 'the Nu Html Checker looks at every page (it needs Java)', tool: 'html' },
}
