// The layers: what the folders of a folder may import from each other, lowest first. `npm run check` enforces them.
//
// Each table is about one folder. A row names a subfolder or a file of it and lists the others that it may import; a
// subfolder without a row fails the check. Files directly in a folder whose table does not list them are its shared
// vocabulary (records, protocol, errors): they and the subfolders may import each other, and Biome rejects cycles.

/** @type {Record<string, Record<string, string[]>>} */
export const LAYERS = {
  src: {
    contract: [],
    client: ['contract'],
    cli: ['client', 'contract'],
    testing: ['client', 'contract'],
  },
  'src/cli': {
    lib: [],
    flags: ['lib'],
    config: ['flags', 'lib'],
    prompts: ['lib'],
    output: ['config', 'lib'],
    bulk: ['lib'],
    emulator: ['config', 'lib'],
    scaffold: ['lib'],
    verify: ['lib'],
    mcp: ['output', 'lib'],
    manifest: ['config', 'lib'],
    reactors: ['manifest', 'emulator', 'config', 'lib'],
    'tenant-config': ['reactors', 'manifest', 'config', 'lib'],
    'command.ts': ['flags', 'config', 'output', 'prompts', 'lib'],
    'connect.ts': ['config', 'emulator', 'output', 'lib'],
    commands: [
      ...[
        'command.ts',
        'connect.ts',
        'manifest',
        'tenant-config',
        'reactors',
        'verify',
        'mcp',
        'scaffold',
        'emulator',
        'bulk',
        'output',
        'prompts',
      ],
      ...['config', 'flags', 'lib'],
    ],
    definitions: ['commands', 'command.ts', 'emulator', 'flags'],
    'help.ts': ['command.ts'],
    'help-output.ts': ['output'],
    'select-commands.ts': ['command.ts', 'definitions'],
    'json-flag.ts': ['definitions'],
    'report-failure.ts': ['command.ts', 'config', 'flags', 'output', 'lib'],
    'run-command.ts': [
      ...['report-failure.ts', 'command.ts', 'connect.ts', 'config', 'flags', 'output', 'prompts', 'lib'],
    ],
    'program.ts': ['select-commands.ts', 'definitions', 'help.ts', 'command.ts', 'flags'],
    'index.ts': [
      'program.ts',
      'run-command.ts',
      'report-failure.ts',
      'select-commands.ts',
      'help-output.ts',
      'json-flag.ts',
      'definitions',
      'flags',
    ],
  },
  'src/cli/reactors': {
    project: [],
    build: ['project'],
    test: ['build', 'project'],
    types: ['test', 'project'],
    report: ['test', 'build', 'project'],
  },
  'src/cli/tenant-config': {
    resources: [],
    declaration: ['resources'],
    lock: ['declaration', 'resources'],
    plan: ['lock', 'declaration', 'resources'],
    apply: ['plan', 'lock', 'declaration', 'resources'],
    pull: ['plan', 'lock', 'declaration', 'resources'],
    report: ['apply', 'plan', 'lock', 'declaration', 'resources'],
  },
  emulator: {
    lib: [],
    store: ['lib'],
    sandbox: ['lib'],
    expressions: ['lib'],
    problems: ['store', 'lib'],
    access: ['store', 'lib'],
    services: ['access', 'problems', 'store', 'sandbox', 'expressions', 'lib'],
    operations: ['services', 'access', 'problems', 'store', 'sandbox', 'expressions', 'lib'],
    'data-dir': ['services', 'store', 'lib'],
    dashboard: ['operations', 'services', 'problems', 'store', 'expressions', 'lib'],
    elements: ['services', 'problems', 'lib'],
    control: ['dashboard', 'data-dir', 'operations', 'services', 'problems', 'store', 'sandbox', 'lib'],
    http: ['operations', 'services', 'access', 'problems', 'lib'],
    'options.ts': ['services', 'sandbox', 'store', 'lib'],
    'app.ts': ['http', 'elements', 'services', 'lib'],
    'infrastructure.ts': [
      'options.ts',
      'http',
      'data-dir',
      'operations',
      'services',
      'sandbox',
      'store',
      'lib',
    ],
    'create-services.ts': ['infrastructure.ts', 'options.ts', 'data-dir', 'operations', 'services', 'access'],
    'create-emulator.ts': [
      ...['app.ts', 'infrastructure.ts', 'create-services.ts', 'options.ts'],
      ...['http', 'control', 'data-dir', 'operations', 'services', 'store', 'lib'],
    ],
    'index.ts': [
      'create-emulator.ts',
      'options.ts',
      'http',
      'data-dir',
      'services',
      'sandbox',
      'access',
      'store',
      'lib',
    ],
  },
  'emulator/dashboard': { page: [] },
  'emulator/dashboard/page': {
    api: [],
    hooks: ['api'],
    components: ['hooks', 'api'],
    views: ['components', 'hooks', 'api'],
    'app.tsx': ['views', 'components', 'hooks', 'api'],
    'main.tsx': ['app.tsx', 'api'],
  },
  'emulator/store': {
    files: [],
    index: [],
    tables: ['index'],
    postgres: ['index'],
    wal: ['index', 'files'],
    compaction: ['wal', 'tables', 'files'],
    recovery: ['compaction', 'wal', 'tables', 'files'],
  },
  'emulator/sandbox': {
    network: [],
    host: ['network'],
    runtime: ['host'],
    'error-positions': [],
    'node-runtime': ['runtime', 'host', 'network'],
    'quickjs-runtime': ['error-positions', 'runtime', 'host', 'network'],
    prelude: ['runtime', 'host'],
    packages: [],
    pool: ['packages'],
  },
};

/**
 * The parts of one tree that another tree may import, by the importing folder.
 * @type {Record<string, string[]>}
 */
export const ENTRIES = {
  emulator: ['src/contract'],
  'src/testing': ['emulator/index.ts', 'emulator/services/leaks/zip.ts'],
  'src/cli/emulator': ['emulator/index.ts', 'emulator/sandbox/index.ts'],
};

/**
 * npm packages that a folder may import; a folder that is not listed may import any.
 * @type {Record<string, string[]>}
 */
export const PACKAGES = {
  'src/contract': ['zod', 'lucene'],
  'src/client': ['undici'],
  'emulator/dashboard/page': ['preact'],
};

/**
 * Folders that alone may import these packages.
 * @type {Record<string, string[]>}
 */
export const OWNERS = {
  commander: ['src/cli/program.ts', 'src/cli/index.ts', 'src/cli/help-output.ts', 'src/cli/help.ts'],
  fastify: ['emulator'],
  pg: ['emulator/store/postgres'],
  pgpass: ['emulator/store/postgres'],
  'prom-client': ['emulator/control/metrics'],
  '@modelcontextprotocol/sdk': ['src/cli/mcp/server.ts', 'src/cli/mcp/stdio-transport.ts'],
  ...Object.fromEntries(
    ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map((name) => [
      `@opentelemetry/${name}`,
      ['emulator/services/tracing/otlp-tracing.ts'],
    ]),
  ),
  preact: ['emulator/dashboard/page'],
  liquidjs: ['emulator/expressions'],
  'quickjs-emscripten-core': ['emulator/sandbox'],
};
