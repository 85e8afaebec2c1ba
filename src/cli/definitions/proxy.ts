import { METHODS } from '../../contract/operation-row.js';
import { RESOURCES } from '../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { resourceArgument, resourceCommand } from './resource-commands.js';

const proxyModule = () => import('../commands/proxy.js');

const PROXY = RESOURCES.proxy;

export const commands: readonly CommandRow[] = [
  resourceCommand(PROXY, 'create', {
    details:
      'Send requests through it to /proxy with the header SVC-PROXY-KEY. Expressions such as {{ token id }} in path, query, headers and body are replaced by token data.',
    examples: {
      'Send card data to a payment processor.':
        'tokenctl proxy create --name processor --destination-url https://api.processor.example/v1',
    },
  }),
  resourceCommand(PROXY, 'list', { examples: { 'Names and keys.': 'tokenctl proxy list --json name,key' } }),
  resourceCommand(PROXY, 'get', {
    summary: 'Get a proxy; configuration values are never shown',
    examples: { 'Print its key.': 'tokenctl proxy get processor --jq .key' },
  }),
  defineCommand('proxy send', from(proxyModule, 'run'), {
    summary: 'Send a request through a proxy',
    details:
      'Expressions such as {{ token id }} in path, header values and body are replaced by token data. Prints what the destination responds; a status from 400 on is an error. With --url, the request goes there without a stored proxy.',
    operations: ['proxies.get', 'proxies.list'],
    arguments: {
      proxy: { ...resourceArgument(PROXY), optional: true },
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
    examples: {
      'Send a card to a payment processor.': `tokenctl proxy send processor /charges --data '{"card":"{{ customer-1042-card }}"}'`,
      'Send a request without a stored proxy.':
        'tokenctl proxy send --url https://api.processor.example/v1/status',
    },
  }),
  resourceCommand(PROXY, 'update', {
    examples: {
      'Change one configuration value and keep the others.':
        'tokenctl proxy update processor --config API_KEY=test_1',
    },
  }),
  resourceCommand(PROXY, 'replace', {
    examples: {
      'Set another destination, without transforms and configuration.':
        'tokenctl proxy replace processor --name processor --destination-url https://api.processor.example/v2',
    },
  }),
  resourceCommand(PROXY, 'delete', {
    examples: { 'Delete without confirmation.': 'tokenctl proxy delete processor --yes' },
  }),
];
