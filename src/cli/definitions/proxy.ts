import { LIMITS } from '../../contract/limits.js';
import { METHODS } from '../../contract/operation.js';
import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { PAGE_FLAGS } from '../flags/globals.js';
import { CODE_CHECK } from './reactor/flags.js';

const PROXY_ARGUMENT = { proxy: { description: 'proxy id or exact name' } } as const;

const CODE = 'code, as that of a reactor, that runs over';

const CONTENT_FLAGS = {
  name: { value: 'NAME', description: `proxy name, up to ${LIMITS.nameCharacters} characters` },
  destinationUrl: { value: 'URL', description: 'URL that requests go to; https, or http on this machine' },
  requestTransform: {
    value: 'CODE|@FILE|-',
    negatable: true,
    description: `${CODE} each request, with token data`,
    negation: 'remove the request transform',
  },
  responseTransform: {
    value: 'CODE|@FILE|-',
    negatable: true,
    description: `${CODE} each successful response`,
    negation: 'remove the response transform',
  },
  config: { value: 'NAME=VALUE', list: true, description: 'one configuration value of the transforms' },
  configuration: { value: 'JSON|@FILE|-', description: 'configuration, a map of strings' },
  application: {
    value: 'ID',
    suggest: 'application',
    negatable: true,
    description: 'application whose key the transforms get as `svc`',
    negation: 'detach the application',
  },
  requireAuth: {
    negatable: true,
    description: 'require an API key; the default',
    negation: 'let everybody who knows the key of the proxy use it, without token data',
  },
} as const satisfies Flags;

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'proxy create',
    summary: 'Create a proxy',
    details: `Send requests through it to /proxy with the header SVC-PROXY-KEY. Expressions such as {{ token id }} in path, query, headers and body are replaced by token data. ${CODE_CHECK}`,
    operations: ['proxies.create'],
    result: 'proxies.create',
    flags: CONTENT_FLAGS,
    examples: [
      {
        does: 'Send card data to a payment processor.',
        command: 'tokenctl proxy create --name processor --destination-url https://api.processor.example/v1',
      },
    ],
    load: () => import('../commands/proxy/create.js'),
  }),
  defineCommand({
    name: 'proxy list',
    summary: 'List proxies',
    operations: ['proxies.list'],
    result: 'proxies.list',
    flags: {
      id: { value: 'ID', list: true, description: 'only proxies with these ids' },
      name: {
        value: 'PATTERN',
        description: 'only proxies whose name contains this text, or matches it if it has * or ?',
      },
      ...PAGE_FLAGS,
    },
    examples: [{ does: 'Names and keys.', command: 'tokenctl proxy list --json name,key' }],
    load: () => import('../commands/proxy/list.js'),
  }),
  defineCommand({
    name: 'proxy get',
    summary: 'Get a proxy; configuration values are never shown',
    operations: ['proxies.get', 'proxies.list'],
    result: 'proxies.get',
    arguments: PROXY_ARGUMENT,
    examples: [{ does: 'Print its key.', command: 'tokenctl proxy get processor --jq .key' }],
    load: () => import('../commands/proxy/get.js'),
  }),
  defineCommand({
    name: 'proxy send',
    summary: 'Send a request through a proxy',
    details:
      'Expressions such as {{ token id }} in path, header values and body are replaced by token data. Prints what the destination responds; a status from 400 on is an error. With --url, the request goes there without a stored proxy.',
    operations: ['proxies.get', 'proxies.list'],
    arguments: {
      proxy: { ...PROXY_ARGUMENT.proxy, optional: true },
      path: { description: 'path and query below the destination URL', optional: true },
    },
    flags: {
      url: { value: 'URL', description: 'destination, in place of a proxy' },
      method: {
        value: 'METHOD',
        suggest: METHODS,
        description: 'HTTP method; GET, or POST with --data, by default',
      },
      header: { value: 'NAME: VALUE', list: true, description: 'request header' },
      data: {
        value: 'TEXT|@FILE|-',
        description: 'request body; JSON unless --header has another Content-Type',
      },
    },
    examples: [
      {
        does: 'Send a card to a payment processor.',
        command: `tokenctl proxy send processor /charges --data '{"card":"{{ customer-1042-card }}"}'`,
      },
      {
        does: 'Send a request without a stored proxy.',
        command: 'tokenctl proxy send --url https://api.processor.example/v1/status',
      },
    ],
    load: () => import('../commands/proxy/send.js'),
  }),
  defineCommand({
    name: 'proxy update',
    summary: 'Update a proxy by merge patch (RFC 7386)',
    details: CODE_CHECK,
    operations: ['proxies.update', 'proxies.list'],
    aliases: ['patch'],
    arguments: PROXY_ARGUMENT,
    flags: {
      patch: { value: 'JSON|@FILE|-', description: 'merge patch, to which the other flags are added' },
      ...CONTENT_FLAGS,
    },
    examples: [
      {
        does: 'Change one configuration value and keep the others.',
        command: 'tokenctl proxy update processor --config API_KEY=test_1',
      },
    ],
    load: () => import('../commands/proxy/update.js'),
  }),
  defineCommand({
    name: 'proxy replace',
    summary: 'Replace a proxy; its key stays',
    details: CODE_CHECK,
    operations: ['proxies.replace', 'proxies.list'],
    result: 'proxies.replace',
    arguments: PROXY_ARGUMENT,
    flags: CONTENT_FLAGS,
    examples: [
      {
        does: 'Set another destination, without transforms and configuration.',
        command:
          'tokenctl proxy replace processor --name processor --destination-url https://api.processor.example/v2',
      },
    ],
    load: () => import('../commands/proxy/replace.js'),
  }),
  defineCommand({
    name: 'proxy delete',
    summary: 'Delete a proxy',
    operations: ['proxies.delete', 'proxies.list'],
    arguments: PROXY_ARGUMENT,
    examples: [{ does: 'Delete without confirmation.', command: 'tokenctl proxy delete processor --yes' }],
    load: () => import('../commands/proxy/delete.js'),
  }),
];
