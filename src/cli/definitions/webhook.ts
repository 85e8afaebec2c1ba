import { EVENT_TYPES } from '../../contract/event-types.js';
import { RESOURCES } from '../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { fieldFlags } from '../flags/field-flags.js';
import type { Flag } from '../flags/flag.js';
import { resourceArgument, resourceCommand } from './resource-commands.js';

const webhookModule = () => import('../commands/webhook.js');
const listenModule = () => import('../commands/webhook/listen.js');

const WEBHOOK = RESOURCES.webhook;

export const commands: readonly CommandRow[] = [
  resourceCommand(WEBHOOK, 'create', {
    examples: {
      'Report the life of tokens to a local server.':
        "tokenctl webhook create --name shop --url http://127.0.0.1:3000/hooks --event 'token.*'",
    },
  }),
  resourceCommand(WEBHOOK, 'list', {
    examples: { 'Names and URLs.': 'tokenctl webhook list --json name,url' },
  }),
  resourceCommand(WEBHOOK, 'get', {
    examples: { 'What it subscribes to.': 'tokenctl webhook get shop --jq .events' },
  }),
  resourceCommand(WEBHOOK, 'update', {
    summary: 'Change fields of a webhook',
    details: 'A webhook that was disabled, because it accepted no event for a day, is enabled again.',
    examples: { 'Subscribe to every event.': "tokenctl webhook update shop --event '*'" },
  }),
  defineCommand('webhook ping', from(webhookModule, 'pingWebhook'), {
    summary: 'Send a test event to a webhook; without one, check the service and the key',
    prints: 'webhooks.ping',
    operations: ['webhooks.list', 'ping'],
    arguments: { webhook: { ...resourceArgument(WEBHOOK), optional: true } },
    examples: { 'Send an event of type webhook.ping.': 'tokenctl webhook ping shop' },
  }),
  defineCommand('webhook event-types', from(webhookModule, 'listEventTypes'), {
    operations: ['webhooks.eventTypes'],
    examples: { 'As text.': "tokenctl webhook event-types --jq '.data[].type'" },
  }),
  defineCommand('webhook signing-key', from(webhookModule, 'printSigningKey'), {
    summary: 'Print the public key that verifies signatures of version 2',
    prints: 'webhooks.signingKey',
    examples: {
      'Write it to a file.': 'tokenctl webhook signing-key --jq .public_key_pem > signing-key.pem',
    },
  }),
  defineCommand('webhook listen', from(listenModule, 'listen'), {
    summary: 'Receive events at a temporary webhook and forward them until Ctrl-C',
    details:
      'Creates a webhook that points to this process, forwards each event to --forward-to with its signature, answers with the status of that server, and deletes the webhook at the end. An emulator may stop and start again meanwhile. The service must be able to reach this machine, as an emulator on it is.',
    operations: ['webhooks.create', 'webhooks.delete'],
    flags: {
      forwardTo: { value: 'URL', description: 'URL that each event is posted to' },
      event: { ...(fieldFlags(WEBHOOK, 'create').event as Flag), value: 'TYPE', list: true },
    },
    examples: {
      'Forward all events to a development server.':
        'tokenctl webhook listen --forward-to http://127.0.0.1:3000/hooks',
    },
  }),
  resourceCommand(WEBHOOK, 'delete', {
    examples: { 'Delete without confirmation.': 'tokenctl webhook delete shop --yes' },
  }),
  defineCommand('event list', from(webhookModule, 'listEvents'), {
    summary: 'List the recent events of the emulator that webhooks subscribed to',
    examples: { 'Types in order.': "tokenctl event list --jq '.data[].type'" },
  }),
  defineCommand('event trigger', from(webhookModule, 'triggerEvent'), {
    summary: 'Send a made-up event from the emulator, as if something had happened',
    details:
      'It is signed, retried until it arrives, and listed by `event list`, as a real one is. Its data is made up; --set changes it. Types of endpoints that the emulator does not have can be sent too.',
    arguments: {
      type: {
        suggest: EVENT_TYPES,
        description:
          'a type of `webhook event-types`, or of endpoints the emulator lacks, such as network-token.updated',
      },
    },
    flags: {
      set: {
        value: 'PATH=VALUE',
        list: true,
        description: "value in the event's data, JSON or text, by its path: token.type=card; null removes it",
      },
      webhook: {
        value: 'WEBHOOK',
        description: 'send it to this webhook only, by ID or exact name, whatever it subscribes to',
      },
      tenant: {
        value: 'ID',
        description: 'tenant id; TOKENCTL_TENANT_ID, or the tenant of `emulator keys`, by default',
      },
    },
    examples: {
      'Report that a token has expired.': 'tokenctl event trigger token.expired --set token.id=card-1',
      'Send an event of an endpoint that is not emulated.':
        'tokenctl event trigger network-token.updated --set network_token.status=suspended --webhook shop',
    },
  }),
  defineCommand('event resend', from(webhookModule, 'resendEvents'), {
    summary: 'Deliver recent events of the emulator again',
    details:
      'The webhooks that subscribe to the events now get them with the same event ids, so that a receiver can be tested with repeated and reordered deliveries.',
    arguments: {
      id: { variadic: true, optional: true, description: 'event ids; all recent events by default' },
    },
    flags: {
      times: { value: 'N', integer: true, description: 'deliver each event N times' },
      shuffle: { description: 'deliver in random order instead of the order per entity' },
    },
    examples: { 'Deliver every event twice, in random order.': 'tokenctl event resend --times 2 --shuffle' },
  }),
];
