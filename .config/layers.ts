// The layers: what the folders of a folder may import from each other. `npm run check` enforces them, type-only imports included.
//
// Each table is about one folder. A row names subfolders or files of it, and the others that they may import, which have no row or
// one above; `*` is all of them. Subfolders without a row may not import each other. Files directly in a folder without a row are
// its shared vocabulary (records, protocol, errors): they and the subfolders may import each other, and Biome rejects cycles.

export const LAYERS: Record<string, Record<string, string>> = {
  '.': {
    emulator: 'src/contract',
    'src/testing':
      'emulator/index.ts emulator/doubles/stub.ts emulator/lib/start-error.ts emulator/services/leaks/zip.ts',
    'src/cli/emulator': 'emulator/index.ts emulator/sandbox/index.ts',
    test: 'src emulator',
    bench: 'src/testing emulator test/support',
    'test/bench': 'bench',
    '.config': 'src/cli test/support/width.ts',
    'test/docs': '.config',
  },
  src: {
    client: 'contract',
    'cli testing': 'client contract',
  },
  'src/cli': {
    'flags prompts bulk scaffold verify': 'lib',
    config: 'flags lib',
    'output emulator manifest': 'config lib',
    mcp: 'output lib',
    reactors: 'manifest emulator config lib',
    'tenant-config': 'reactors manifest config lib',
    'command.ts': 'flags config output prompts lib',
    'connect.ts': 'config emulator output prompts lib',
    'help.ts': 'command.ts',
    'program.ts': 'help.ts command.ts flags',
    commands:
      'program.ts command.ts connect.ts help.ts manifest tenant-config reactors verify mcp scaffold emulator bulk output prompts config flags lib',
    definitions: 'commands command.ts emulator flags',
    'command-line.ts': 'program.ts command.ts definitions',
    'report-failure.ts': 'command.ts config flags output lib',
    'run-command.ts': 'report-failure.ts command.ts connect.ts config flags output prompts lib',
    'index.ts': 'program.ts run-command.ts report-failure.ts command-line.ts output definitions flags',
  },
  'src/cli/commands': {
    shared: '*',
    'auth completion emulator pull reactor resource token webhook': 'shared',
    application: 'resource shared',
    doctor: 'auth shared',
  },
  'src/cli/reactors': {
    build: 'project',
    test: 'build project',
    types: 'test project',
    report: 'test build project',
  },
  'src/cli/tenant-config': {
    declaration: 'resources',
    lock: 'declaration resources',
    plan: 'lock declaration resources',
    'apply pull': 'plan lock declaration resources',
    report: 'apply plan lock declaration resources',
  },
  'src/contract': { 'control openapi': 'schemas' },
  emulator: {
    'store sandbox expressions': 'lib',
    doubles: 'sandbox lib',
    'problems access': 'store lib',
    services: 'access problems store sandbox expressions lib',
    operations: 'services access problems store sandbox expressions lib',
    'data-dir': 'services store lib',
    dashboard: 'operations services problems store expressions lib',
    elements: 'services problems lib',
    control: 'dashboard data-dir operations services problems store sandbox lib',
    http: 'operations services access problems lib',
    'options.ts': 'services sandbox store lib',
    'app.ts': 'http elements services lib',
    'infrastructure.ts': 'options.ts doubles http data-dir operations services sandbox store lib',
    'create-services.ts': 'infrastructure.ts options.ts data-dir operations services access',
    'create-emulator.ts':
      'app.ts infrastructure.ts create-services.ts options.ts http control data-dir operations services store lib',
    'index.ts': 'create-emulator.ts options.ts http data-dir services sandbox access store lib',
  },
  'emulator/dashboard/page': {
    hooks: 'api',
    components: 'hooks api',
    views: 'components hooks api',
    'main.tsx': 'views components hooks api',
  },
  'emulator/operations': {
    tokenize: 'tokens',
    'webhooks.ts': 'resource',
    applications: 'tokens resource',
    reactors: 'tokenize tokens resource',
    proxies: 'reactors tokenize tokens resource',
  },
  'emulator/sandbox': {
    host: 'network',
    runtime: 'host',
    'node-runtime': 'runtime host network',
    'quickjs-runtime': 'error-positions runtime host network',
    prelude: 'runtime host network',
    pool: 'packages',
  },
  'emulator/sandbox/prelude': { web: 'bridge', 'node-modules': 'web bridge' },
  'emulator/services': {
    'request-record': 'tracing leaks',
    webhooks: 'request-record idempotency tracing leaks',
    tenants: 'webhooks request-record idempotency',
    'shared-store': 'tenants webhooks request-record idempotency',
  },
  'emulator/store': {
    'tables postgres': 'index',
    journal: 'files',
    compaction: 'journal tables files',
    recovery: 'compaction journal tables files',
  },
  test: {
    demo: '*',
    support: 'demo',
    'emulator bench cli client clients contract fixtures package scenarios testing': 'support',
    'docs robustness': 'emulator support',
  },
  'test/cli/tenant-config': { 'apply declaration': 'plan' },
  'test/emulator': { operations: 'store' },
};

/** Packages and modules of Node.js that a folder or a file may import; one that is not listed may import any. */
export const PACKAGES: Record<string, string> = {
  'src/contract': 'zod lucene leven',
  'src/contract/process-identity.ts': 'node:child_process node:fs node:os',
  'src/contract/files.ts': 'node:fs node:path node:timers/promises',
  'src/client': 'undici node:http node:https node:timers/promises',
  'emulator/dashboard/page': 'preact',
};
