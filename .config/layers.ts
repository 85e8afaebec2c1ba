// The layers: what the folders of a folder may import from each other. `npm run check` enforces them, type-only imports included.

/**
 * The layers of each folder from the lowest to the highest. What is named may import what lower layers name, and nothing else of its
 * own layer. Subfolders that are not named may not import each other. Files directly in a folder that are not named are its shared
 * vocabulary (records, protocol, errors): they and the subfolders may import each other, and Biome rejects cycles.
 */
export const LAYERS: Record<string, string> = {
  src: 'contract < client < cli testing',
  'src/cli':
    'lib < flags prompts bulk scaffold verify < config < output emulator manifest < mcp reactors < tenant-config < command.ts ' +
    '< connect.ts help.ts < program.ts < commands < definitions < command-line.ts report-failure.ts < run-command.ts < index.ts',
  'src/cli/commands':
    'shared < auth completion emulator pull reactor resource token webhook < application doctor',
  'src/cli/reactors': 'project < build < test < types report',
  'src/cli/tenant-config': 'resources < declaration < lock < plan < apply pull < report',
  'src/contract': 'schemas < control openapi',
  emulator:
    'lib < store sandbox expressions < doubles problems access < services < operations elements options.ts ' +
    '< data-dir dashboard http < control app.ts infrastructure.ts < create-services.ts < create-emulator.ts < index.ts',
  'emulator/dashboard/page': 'api < hooks < components < views < main.tsx',
  'emulator/operations': 'resource tokens < tokenize webhooks.ts applications < reactors < proxies',
  'emulator/sandbox':
    'network packages error-positions < host pool < runtime < node-runtime quickjs-runtime prelude',
  'emulator/sandbox/prelude': 'bridge < web < node-modules',
  'emulator/services': 'leaks tracing < idempotency request-record < webhooks < tenants < shared-store',
  'emulator/store': 'files index < journal tables postgres < compaction < recovery',
  test: 'support < demo < emulator cli client clients contract fixtures package scenarios testing < docs robustness',
  'test/cli/tenant-config': 'plan < apply',
  'test/emulator': 'store < operations',
};

/** What folders may import across the top of the repository; one that is not listed may import nothing there. */
export const ACROSS: Record<string, string> = {
  emulator: 'src/contract',
  'src/testing':
    'emulator/index.ts emulator/doubles/stub.ts emulator/lib/start-error.ts emulator/services/leaks/zip.ts',
  'src/cli/emulator': 'emulator/index.ts emulator/sandbox/index.ts',
  test: 'src emulator',
  bench: 'src/testing emulator test/support',
  '.config': 'src/cli test/support/width.ts',
  'test/docs': '.config',
};

/** Packages and modules of Node.js that a folder or a file may import; one that is not listed may import any. */
export const PACKAGES: Record<string, string> = {
  'src/contract': 'zod lucene leven',
  'src/contract/process-identity.ts': 'node:child_process node:fs node:os',
  'src/contract/files.ts': 'node:fs node:module node:path node:timers/promises',
  'src/client': 'undici node:http node:https node:timers/promises',
  'emulator/dashboard/page': 'preact p-limit',
  'emulator/dashboard/page/components/editor.ts': '@codemirror @lezer',
  'emulator/dashboard/page/components/markdown.ts': 'marked dompurify',
};
