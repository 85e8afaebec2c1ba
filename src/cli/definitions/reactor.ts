import { LIMITS } from '../../contract/limits.js';
import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { PAGE_FLAGS, YES_FLAG } from '../flags/globals.js';

const { minimum, maximum } = LIMITS.asyncTimeoutMs;

const REACTOR_ARGUMENT = {
  reactor: { suggest: 'reactor', description: 'id or exact name' },
} as const;

const CONTENT_FLAGS = {
  name: { value: 'NAME', description: `the name, up to ${LIMITS.nameCharacters} characters` },
  code: {
    value: 'CODE|@FILE|-',
    description: `the code, up to ${LIMITS.reactorCodeCharacters} characters`,
  },
  config: { value: 'NAME=VALUE', list: true, description: 'one value of the configuration' },
  configuration: { value: 'JSON|@FILE|-', description: 'the configuration, a map of strings' },
} as const satisfies Flags;

const APPLICATION_FLAG = {
  application: {
    value: 'ID',
    suggest: 'application',
    description: 'the application whose key the code gets as `svc`',
  },
} as const satisfies Flags;

export const ARGUMENT_FLAGS = {
  args: { value: 'JSON|@FILE|-', description: 'the arguments; {{ token id }} stands for its data' },
  arg: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one argument: JSON where it is some, else a string',
  },
} as const satisfies Flags;

export const reactorCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'reactor create',
    summary: 'Create a reactor',
    operations: ['reactors.create'],
    flags: { ...CONTENT_FLAGS, ...APPLICATION_FLAG },
    examples: [
      {
        does: 'From a file, with a configuration.',
        command: 'tokenctl reactor create --name greet --code @greet.js --config GREETING=Hello',
      },
    ],
    load: () => import('../commands/reactor/create.js'),
  }),
  defineCommand({
    name: 'reactor replace',
    summary: 'Replace a reactor; nothing of it stays',
    operations: ['reactors.replace', 'reactors.list'],
    arguments: REACTOR_ARGUMENT,
    flags: { ...CONTENT_FLAGS, ...APPLICATION_FLAG },
    examples: [
      {
        does: 'New code and an empty configuration.',
        command: `tokenctl reactor replace greet --name greet --code @greet.js --configuration '{}'`,
      },
    ],
    load: () => import('../commands/reactor/replace.js'),
  }),
  defineCommand({
    name: 'reactor update',
    summary: 'Update a reactor by merge patch (RFC 7386)',
    operations: ['reactors.update', 'reactors.list'],
    aliases: ['patch'],
    arguments: REACTOR_ARGUMENT,
    flags: {
      patch: { value: 'JSON|@FILE|-', description: 'the whole merge patch; flags are added to it' },
      ...CONTENT_FLAGS,
      application: {
        ...APPLICATION_FLAG.application,
        negatable: true,
        negation: 'detach the application',
      },
    },
    examples: [
      {
        does: 'One value of the configuration; the others stay.',
        command: 'tokenctl reactor update greet --config GREETING=Salut',
      },
    ],
    load: () => import('../commands/reactor/update.js'),
  }),
  defineCommand({
    name: 'reactor get',
    summary: 'Get reactors; configuration values are not shown',
    operations: ['reactors.get', 'reactors.list'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, variadic: true } },
    examples: [{ does: 'The code that runs.', command: 'tokenctl reactor get greet --jq .code' }],
    load: () => import('../commands/reactor/get.js'),
  }),
  defineCommand({
    name: 'reactor list',
    summary: 'List reactors',
    operations: ['reactors.list'],
    flags: {
      id: { value: 'ID', list: true, suggest: 'reactor', description: 'of these ids' },
      name: { value: 'PATTERN', description: 'whose name matches, with * and ?; else contains it' },
      ...PAGE_FLAGS,
    },
    examples: [{ does: 'Names and ids.', command: `tokenctl reactor list --name 'gr*' --json id,name` }],
    load: () => import('../commands/reactor/list.js'),
  }),
  defineCommand({
    name: 'reactor react',
    summary: 'Invoke a reactor with detokenized arguments',
    details:
      'On a terminal, without a reactor, it offers the reactors there are and asks for the arguments. With --callback-url the result is sent there.',
    operations: ['reactors.react', 'reactors.list'],
    aliases: ['invoke'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, optional: true } },
    flags: {
      ...ARGUMENT_FLAGS,
      callbackUrl: {
        value: 'URL',
        description: 'run it in the background; the result is posted to this URL',
      },
      timeoutMs: {
        value: 'N',
        integer: true,
        description: `with --callback-url: milliseconds it may run, ${minimum} to ${maximum}`,
      },
      trace: {
        description:
          'say how it went, on stderr: trace id, time of each phase, console, requests with their data masked; the last three on an emulator',
      },
    },
    examples: [
      {
        does: 'The code gets the data of the token, the caller does not.',
        command: `tokenctl reactor react greet --arg name=Ada --arg 'card={{ customer-1042-card }}'`,
      },
      {
        does: 'All arguments as JSON.',
        command: `tokenctl reactor invoke greet --args '{"name":"Ada"}' --jq .raw`,
      },
    ],
    load: () => import('../commands/reactor/react.js'),
  }),
  defineCommand({
    name: 'reactor delete',
    summary: 'Delete reactors',
    operations: ['reactors.delete', 'reactors.list'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, variadic: true } },
    flags: YES_FLAG,
    examples: [{ does: 'Without being asked.', command: 'tokenctl reactor delete greet --yes' }],
    load: () => import('../commands/reactor/delete.js'),
  }),
  defineCommand({
    name: 'reactor logs',
    summary: 'Show what a reactor logged and requested, on an emulator',
    operations: ['reactors.list'],
    arguments: REACTOR_ARGUMENT,
    flags: {
      follow: {
        short: 'f',
        description: 'go on with what comes, until Ctrl-C; --jq gets each event by itself',
      },
    },
    examples: [{ does: 'So far.', command: 'tokenctl reactor logs greet' }],
    load: () => import('../commands/reactor/logs.js'),
  }),
];
