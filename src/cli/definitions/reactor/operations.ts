import { LIMITS } from '../../../contract/limits.js';
import { RESOURCES } from '../../../contract/resources.js';
import { type CommandRow, defineCommand } from '../../command.js';
import { ARGUMENT_FLAGS } from '../../flags/project-flags.js';
import { resourceArgument, resourceCommand } from '../resource-commands.js';
import { commands as deployCommands } from './deploy.js';
import { commands as localCommands } from './local.js';

const { minimum, maximum } = LIMITS.asyncTimeoutMs;

const REACTOR = RESOURCES.reactor;

const REACTOR_ARGUMENT = { reactor: resourceArgument(REACTOR) } as const;

/** The commands of reactors: those of deployments, those without a service, and those on single reactors of a service. */
export const commands: readonly CommandRow[] = [
  ...deployCommands,
  ...localCommands,
  resourceCommand(REACTOR, 'create', {
    examples: {
      'Create a reactor from a file, with a configuration.':
        'tokenctl reactor create --name greet --code @greet.js --config GREETING=Hello',
    },
  }),
  resourceCommand(REACTOR, 'replace', {
    summary: 'Replace a reactor completely',
    examples: {
      'Set new code and an empty configuration.': `tokenctl reactor replace greet --name greet --code @greet.js --configuration '{}'`,
    },
  }),
  resourceCommand(REACTOR, 'update', {
    examples: {
      'Change one configuration value and keep the others.':
        'tokenctl reactor update greet --config GREETING=Salut',
    },
  }),
  resourceCommand(REACTOR, 'get', {
    summary: 'Get reactors; configuration values are never shown',
    variadic: true,
    examples: { 'Print the deployed code.': 'tokenctl reactor get greet --jq .code' },
  }),
  resourceCommand(REACTOR, 'list', {
    examples: { 'Print names and ids.': `tokenctl reactor list --name 'gr*' --json id,name` },
  }),
  defineCommand('reactor react', {
    summary: 'Invoke a reactor with detokenized arguments',
    details:
      'Without a reactor, it prompts for one and for its arguments on a terminal. With --callback-url, the result is posted to that URL. With --async, `reactor result` gets it.',
    operations: ['reactors.react', 'reactors.reactAsync', 'reactors.list'],
    aliases: ['invoke'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, optional: true } },
    flags: {
      ...ARGUMENT_FLAGS,
      callbackUrl: { value: 'URL', description: 'run asynchronously and post the result to this URL' },
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
    examples: {
      'Pass token data to the code without exposing it to the caller.': `tokenctl reactor react greet --arg name=Ada --arg 'card={{ customer-1042-card }}'`,
      'Pass all arguments as JSON.': `tokenctl reactor invoke greet --args '{"name":"Ada"}' --jq .raw`,
    },
    load: async () => (await import('../../commands/reactor/react.js')).reactTo,
  }),
  defineCommand('reactor result', {
    summary: 'Get the result of an invocation with --async, kept for 24 hours',
    operations: ['reactors.result', 'reactors.list'],
    arguments: {
      ...REACTOR_ARGUMENT,
      requestId: { description: 'request id that `reactor react --async` printed' },
    },
    examples: { 'Print what the code returned.': 'tokenctl reactor result greet "$REQUEST_ID" --jq .raw' },
    load: async () => (await import('../../commands/reactor/react.js')).getResult,
  }),
  resourceCommand(REACTOR, 'delete', {
    summary: 'Delete reactors',
    variadic: true,
    examples: { 'Delete without confirmation.': 'tokenctl reactor delete greet --yes' },
  }),
  defineCommand('reactor logs', {
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
    examples: { 'Show recent logs.': 'tokenctl reactor logs greet' },
    load: async () => (await import('../../commands/reactor/logs.js')).run,
  }),
];
