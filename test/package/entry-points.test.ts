import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { PACKAGE, requireOfPackage } from '../support/executable.js';

/** The values that programs import from the package, by entry point. To remove one is a breaking change. */
const EXPORTS: Record<string, string[]> = {
  client: [
    ...['ConnectionError', 'ProtocolError', 'ServiceError', 'TimeoutError'],
    ...['createClient', 'createHttpTransport', 'everyItem'],
  ],
  processor: ['CARDS', 'createProcessor', 'startProcessor'],
  contract: [
    ...['APPLICATION_TYPES', 'CONSOLE_LEVELS', 'CONTROL_IDS', 'CONTROL_PREFIX'],
    ...['DEFAULT_FINGERPRINT_EXPRESSION', 'DEFAULT_HEADER_PREFIX', 'EVENT_KINDS', 'HEADER_PREFIX'],
    ...['HEADER_PREFIX_RULE', 'JSON_CONTENT_TYPE'],
    ...['LATENCY_BOUNDS_MS', 'LIMITS', 'MAX_FIELD_ERRORS', 'MERGE_PATCH_CONTENT_TYPE', 'METHODS'],
    ...['OPERATION_IDS', 'PERMISSIONS', 'PERMISSION_NAMES', 'PROBLEMS', 'PROBLEM_CONTENT_TYPE'],
    ...['PathParameterError', 'RATE_LIMITS', 'REACTOR_BUILTINS', 'REACTOR_MODULES', 'REACTOR_PACKAGES'],
    ...['SNAPSHOT_NAME', 'TOKEN_TYPES', 'TOKEN_TYPE_NAMES', 'TRANSFORMS', 'accessExplanation', 'buildPath'],
    'buildQuery',
    ...['controlEndpoint', 'controlEndpoints', 'controlSchemas', 'defineOperation', 'emulatorEvent'],
    ...['fieldErrors', 'headerNames', 'openApiDocument', 'operationRow', 'operationSchemas', 'operations'],
    ...['parseStateFile', 'permissionsOfType', 'problemType', 'problemsOf', 'providedModule', 'reactorTrace'],
    ...['readyInfo', 'requestEvent', 'resolveModule', 'schemas', 'stateFile', 'takesIdempotencyKey'],
  ],
  emulator: [
    ...[
      'CommandError',
      'StartError',
      'UnexpectedCallError',
      'VerificationError',
      'connectEmulator',
      'isSigned',
      'openEmulator',
    ],
    ...['openRunEmulator', 'startEmulator', 'startWebhookReceiver'],
  ],
  vitest: ['expect', 'test'],
  'vitest/setup': ['setup', 'teardown'],
  playwright: ['expect', 'test'],
  'playwright/setup': ['default'],
  'playwright/reporter': ['default'],
};

const entryOf = (name: string) => packageJson.exports[`./${name}` as './client'];

test.each(Object.entries(EXPORTS))('tokenctl/%s exports its values to import', async (name, values) => {
  const module: object = await import(join(PACKAGE, entryOf(name).default));
  expect(Object.keys(module).sort()).toEqual(values);
});

test.each(Object.entries(EXPORTS).filter(([name]) => 'require' in entryOf(name)))(
  'tokenctl/%s exports its values to require',
  (name, values) => expect(Object.keys(requireOfPackage(`tokenctl/${name}`)).sort()).toEqual(values),
);

test('every entry point of the package is listed here', () => {
  const paths = Object.keys(packageJson.exports).filter((path) => path !== './package.json');
  const listed = Object.keys(EXPORTS).map((name) => `./${name}`);
  expect(listed.sort()).toEqual(paths.sort());
});
