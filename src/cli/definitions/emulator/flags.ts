import type { Flags } from '../../flags/flag.js';
import { MODULE_ALIAS_FLAG } from '../reactor/flags.js';

/** Flags of `start` and `exec` that configure the emulator. */
export const BEHAVIOUR_FLAGS = {
  tlsCert: { value: 'FILE', suggest: 'file', description: 'serve https with this certificate (PEM)' },
  tlsKey: { value: 'FILE', suggest: 'file', description: 'private key of the certificate (PEM)' },
  memory: { description: 'keep data in memory only' },
  durability: {
    value: 'WHEN',
    choices: ['sync', 'os'],
    description:
      'when to acknowledge a write: once it is on disk (sync, the default) or once the operating system has it (os)',
  },
  encrypt: {
    value: 'KEY_FILE',
    optionalValue: true,
    suggest: 'file',
    description:
      'encrypt token data on disk with the key from this file, from TOKENCTL_DATA_KEY, or generated and kept in your user configuration',
  },
  seed: {
    value: 'FILE',
    suggest: 'file',
    description:
      'create the items in this file: { tokens, reactors, applications }, or a manifest (tokenctl.yaml), with made-up secrets',
  },
  rateLimit: { onByDefault: true, description: 'disable rate limits' },
  rateLimitScale: { value: 'N', description: 'multiply every rate limit' },
  clock: { value: 'ISO', description: 'start time of the clock, which then runs on' },
  allowNet: {
    value: 'HOST',
    list: true,
    variadic: true,
    optionalValue: true,
    description:
      'hosts that reactors can connect to; without a value, all but link-local and metadata addresses',
  },
  denyNet: { description: 'block all network access of reactors, including loopback' },
  redirect: {
    value: 'HOST=URL',
    list: true,
    variadic: true,
    description:
      'send what goes to this host (api.example.com, *.example.com, with or without :port) to a local stub, http://127.0.0.1:4010: requests of reactors and proxies, webhooks, callbacks',
  },
  allowOrigin: {
    value: 'ORIGIN',
    list: true,
    variadic: true,
    description:
      'allow pages of this origin, or of several, to call the service; http://localhost:* and http://127.0.0.1:* allow every port',
  },
  lenient: {
    description:
      'accept what current clients send and the specification does not allow; docs/fidelity.md lists it',
  },
  refuseRealCards: {
    description: 'refuse card numbers other than those of test cards, which docs/leaks.md lists',
  },
  allowCard: {
    value: 'NUMBER',
    list: true,
    description:
      'with --refuse-real-cards: accept this test card too, or all that begin with at least six digits and *: 453914*',
  },
  includedMonthlyTokens: {
    value: 'N',
    integer: true,
    description: 'tokens included in the plan of the usage report, 50 by default',
  },
  reactorRuntime: {
    value: 'NAME',
    choices: ['quickjs', 'node'],
    description: 'runtime for reactors; node is for trusted code only',
  },
  reactorModules: {
    value: 'DIR',
    suggest: 'file',
    description: 'directory whose node_modules has packages that reactors can require',
  },
  moduleAlias: { ...MODULE_ALIAS_FLAG.moduleAlias, variadic: true },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'environment variables for the emulator, one NAME=value per line',
  },
} as const satisfies Flags;

export const STORE_FLAG = {
  value: 'URL',
  description:
    'keep the data in a PostgreSQL database, postgres://user@host/database (TOKENCTL_STORE); needs a data key',
} as const;

export const TENANT_FLAG = {
  value: 'ID',
  description: 'only this tenant, instead of the whole emulator',
} as const;
