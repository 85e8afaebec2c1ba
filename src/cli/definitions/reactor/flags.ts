import { EMULATOR_FLAGS } from '../../../contract/emulator-options.js';
import type { Flags } from '../../flags/flag.js';

const { variadic: _, ...moduleAlias } = EMULATOR_FLAGS.moduleAlias;
export const MODULE_ALIAS_FLAG = { moduleAlias } as const satisfies Flags;

export const ARGUMENT_FLAGS = {
  args: {
    value: 'JSON|@FILE|-',
    description: 'arguments; {{ token id }} is replaced by the data of the token',
  },
  arg: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one argument; JSON if the value is valid JSON, otherwise a string',
  },
} as const satisfies Flags;

export const FILES = {
  file: {
    variadic: true,
    optional: true,
    suggest: 'file',
    description: 'code files (.js, .ts); the reactors of the manifest by default',
  },
} as const;

/** Flags of every command that reads reactors from files. */
export const PROJECT_FLAGS = {
  config: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one configuration value; overrides the manifest and env files',
  },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'configuration from lines of NAME=value; NAME alone takes the value from the environment',
  },
  external: {
    value: 'MODULE',
    list: true,
    description:
      'module that is not bundled but required at run time (emulator start --reactor-runtime node)',
  },
  ...MODULE_ALIAS_FLAG,
  allowSecrets: {
    description: 'continue even if code or configuration appears to contain a card number or key',
  },
} as const satisfies Flags;

export const ALLOW_WEAKEN = {
  allowWeaken: {
    description:
      'allow what weakens security: more permissions, reveal, wider containers, open proxies, other hosts, stronger applications',
  },
} as const satisfies Flags;

export const ALLOW_COMMAND = {
  allowCommand: { description: 'run the commands that references in the manifest name' },
} as const satisfies Flags;

export const CONCURRENCY = {
  concurrency: {
    value: 'N',
    integer: true,
    description: 'maximum number of objects at a time, 4 by default',
  },
} as const satisfies Flags;

export const RETARGET = {
  retarget: {
    description: 'accept another tenant than the one in the lock file, whose records are dropped',
  },
} as const satisfies Flags;

export const ALLOW_NET = {
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description:
      'hosts that the code can connect to; without a value, any host; this machine only by default',
  },
} as const satisfies Flags;
