import { expect, test } from 'vitest';
import { type EmulatorOptions, StartError, startEmulator } from '../support/emulator.js';

test.each([
  [{ port: 99_999 }, 'The option port must be an integer from 0 to 65535.'],
  [{ port: Number.NaN }, 'The option port must be an integer from 0 to 65535.'],
  [{ host: '' }, 'The option host must be a host name or an IP address.'],
  [{ publicUrl: 'vault.example' }, 'The option publicUrl must be an http or https URL'],
  [{ statementTimeoutMs: 0 }, 'The option statementTimeoutMs must be a number greater than 0.'],
  [{ durability: 'none' }, 'The option durability must be "sync" or "os".'],
  [{ headerPrefix: 'A B' }, 'The option headerPrefix must consist of letters, digits, - and _'],
  [{ rateLimitScale: -1 }, 'The option rateLimitScale must be a number greater than 0.'],
  [{ clock: Number.NaN }, 'The option clock must be a time in milliseconds since 1970.'],
  [{ clock: new Date() }, 'The option clock must be a time in milliseconds since 1970.'],
  [
    { includedMonthlyTokens: -5 },
    'The option includedMonthlyTokens must be an integer that is not negative.',
  ],
  [{ reactorRuntime: 'deno' }, 'The option reactorRuntime must be "quickjs" or "node".'],
  [{ allowOrigins: ['*'] }, 'The option allowOrigins must be an array; each item must be an origin such as'],
  [{ otlpEndpoint: '127.0.0.1:4318' }, 'The option otlpEndpoint must be an http or https URL'],
])('startEmulator rejects %j, naming the option and what it accepts', async (options, message) => {
  const error = await startEmulator({ port: 0, ...(options as EmulatorOptions) }).catch((cause) => cause);
  expect(error).toBeInstanceOf(StartError);
  expect(error.code).toBe('invalid_option');
  expect(error.message).toContain(message);
});
