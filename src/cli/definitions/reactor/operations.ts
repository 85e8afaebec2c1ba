import { LIMITS } from '../../../contract/limits.js';
import { type CommandRow, defineCommand } from '../../command.js';
import type { Flags } from '../../flags/flag.js';
import { PAGE_FLAGS } from '../../flags/globals.js';
import { ARGUMENT_FLAGS, CODE_CHECK } from './flags.js';

const { minimum, maximum } = LIMITS.asyncTimeoutMs;

const REACTOR_ARGUMENT = {
  reactor: { suggest: 'reactor', description: 'reactor id or exact name' },
} as const;

const CONTENT_FLAGS = {
  name: { value: 'NAME', description: `reactor name, up to ${LIMITS.nameCharacters} characters` },
  code: {
    value: 'CODE|@FILE|-',
    description: `reactor code, up to ${LIMITS.reactorCodeCharacters} characters`,
  },
  config: { value: 'NAME=VALUE', list: true, description: 'one configuration value' },
  configuration: { value: 'JSON|@FILE|-', description: 'configuration, a map of strings' },
} as const satisfies Flags;

const APPLICATION_FLAG = {
  application: {
    value: 'ID|NAME',
    suggest: 'application',
    description: 'application whose key the code gets as `svc`',
  },
} as const satisfies Flags;

/** The commands that work on single reactors of a service. */
export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'reactor create',
    summary: 'Create a reactor',
    details: CODE_CHECK,
    operations: ['reactors.create'],
    result: 'reactors.create',
    flags: { ...CONTENT_FLAGS, ...APPLICATION_FLAG },
    examples: [
      {
        does: 'Create a reactor from a file, with a configuration.',
        command: 'tokenctl reactor create --name greet --code @greet.js --config GREETING=Hello',
      },
    ],
    load: () => import('../../commands/reactor/create.js'),
  }),
  defineCommand({
    name: 'reactor replace',
    summary: 'Replace a reactor completely',
    details: CODE_CHECK,
    operations: ['reactors.replace', 'reactors.list'],
    result: 'reactors.replace',
    arguments: REACTOR_ARGUMENT,
    flags: { ...CONTENT_FLAGS, ...APPLICATION_FLAG },
    examples: [
      {
        does: 'Set new code and an empty configuration.',
        command: `tokenctl reactor replace greet --name greet --code @greet.js --configuration '{}'`,
      },
    ],
    load: () => import('../../commands/reactor/replace.js'),
  }),
  defineCommand({
    name: 'reactor update',
    summary: 'Update a reactor by merge patch (RFC 7386)',
    details: CODE_CHECK,
    operations: ['reactors.update', 'reactors.list'],
    aliases: ['patch'],
    arguments: REACTOR_ARGUMENT,
    flags: {
      patch: { value: 'JSON|@FILE|-', description: 'merge patch, to which the other flags are added' },
      ...CONTENT_FLAGS,
      application: {
        ...APPLICATION_FLAG.application,
        negatable: true,
        negation: 'detach the application',
      },
    },
    examples: [
      {
        does: 'Change one configuration value and keep the others.',
        command: 'tokenctl reactor update greet --config GREETING=Salut',
      },
    ],
    load: () => import('../../commands/reactor/update.js'),
  }),
  defineCommand({
    name: 'reactor get',
    summary: 'Get reactors; configuration values are never shown',
    operations: ['reactors.get', 'reactors.list'],
    result: 'reactors.get',
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, variadic: true } },
    examples: [{ does: 'Print the deployed code.', command: 'tokenctl reactor get greet --jq .code' }],
    load: () => import('../../commands/reactor/get.js'),
  }),
  defineCommand({
    name: 'reactor list',
    summary: 'List reactors',
    operations: ['reactors.list'],
    result: 'reactors.list',
    flags: {
      id: { value: 'ID', list: true, suggest: 'reactor', description: 'only reactors with these ids' },
      name: {
        value: 'PATTERN',
        description: 'only reactors whose name contains this text, or matches it if it has * or ?',
      },
      ...PAGE_FLAGS,
    },
    examples: [
      { does: 'Print names and ids.', command: `tokenctl reactor list --name 'gr*' --json id,name` },
    ],
    load: () => import('../../commands/reactor/list.js'),
  }),
  defineCommand({
    name: 'reactor react',
    summary: 'Invoke a reactor with detokenized arguments',
    details:
      'Without a reactor, it prompts for one and for its arguments on a terminal. With --callback-url, the result is posted to that URL. With --async, `reactor result` gets it.',
    operations: ['reactors.react', 'reactors.reactAsync', 'reactors.list'],
    aliases: ['invoke'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, optional: true } },
    flags: {
      ...ARGUMENT_FLAGS,
      callbackUrl: {
        value: 'URL',
        description: 'run asynchronously and post the result to this URL',
      },
      async: { description: 'run asynchronously and print the request id for `reactor result`' },
      timeoutMs: {
        value: 'N',
        integer: true,
        description: `with --callback-url or --async: time limit in milliseconds, ${minimum} to ${maximum}`,
      },
      trace: {
        description:
          'print the trace id on stderr and, on an emulator, also the time of each phase, the console and the requests with masked data',
      },
    },
    examples: [
      {
        does: 'Pass token data to the code without exposing it to the caller.',
        command: `tokenctl reactor react greet --arg name=Ada --arg 'card={{ customer-1042-card }}'`,
      },
      {
        does: 'Pass all arguments as JSON.',
        command: `tokenctl reactor invoke greet --args '{"name":"Ada"}' --jq .raw`,
      },
    ],
    load: () => import('../../commands/reactor/react.js'),
  }),
  defineCommand({
    name: 'reactor result',
    summary: 'Get the result of an invocation with --async, kept for 24 hours',
    operations: ['reactors.result', 'reactors.list'],
    arguments: {
      ...REACTOR_ARGUMENT,
      requestId: { description: 'request id that `reactor react --async` printed' },
    },
    examples: [
      {
        does: 'Print what the code returned.',
        command: 'tokenctl reactor result greet "$REQUEST_ID" --jq .raw',
      },
    ],
    load: () => import('../../commands/reactor/result.js'),
  }),
  defineCommand({
    name: 'reactor delete',
    summary: 'Delete reactors',
    operations: ['reactors.delete', 'reactors.list'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, variadic: true } },
    examples: [{ does: 'Delete without confirmation.', command: 'tokenctl reactor delete greet --yes' }],
    load: () => import('../../commands/reactor/delete.js'),
  }),
  defineCommand({
    name: 'reactor logs',
    summary: 'Show the console output and requests of a reactor on an emulator',
    operations: ['reactors.list'],
    result: 'events',
    arguments: REACTOR_ARGUMENT,
    flags: {
      follow: {
        short: 'f',
        description: 'keep printing new events until Ctrl-C; --jq is applied to each event',
      },
    },
    examples: [{ does: 'Show recent logs.', command: 'tokenctl reactor logs greet' }],
    load: () => import('../../commands/reactor/logs.js'),
  }),
];
