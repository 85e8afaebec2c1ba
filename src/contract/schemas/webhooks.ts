import * as z from 'zod';
import { EVENT_TYPES } from '../event-types.js';
import { UNKNOWN_EVENT_TYPE } from '../problems.js';
import { callbackUrl, empty, modified, name, object, page, pageQuery, url, uuid } from './common.js';

const eventType = z.enum(EVENT_TYPES, UNKNOWN_EVENT_TYPE);

const signatureVersion = z.enum(['1', '2'], 'must be "1" or "2"');

export const webhookContent = {
  name,
  url: callbackUrl,
  /** Kept for the operator of the webhook; the emulator sends no mail. */
  notify_email: z.email('must be an email address').or(z.literal('')).nullish(),
  events: z.array(eventType).min(1),
  signature_version: signatureVersion.nullish(),
};

const createWebhook = object('CreateWebhookRequest', 'A webhook to create.', webhookContent);

const replaceWebhook = object('ReplaceWebhookRequest', 'What takes the place of a webhook.', {
  ...webhookContent,
  status: z
    .literal('enabled', 'must be "enabled": only failures disable a webhook')
    .nullish()
    .describe('The default: a webhook that is replaced is enabled again.'),
});

const webhook = object('Webhook', 'A URL that receives events.', {
  id: uuid,
  tenant_id: uuid,
  status: z.enum(['enabled', 'disabled']),
  name,
  url,
  notify_email: z.string().optional(),
  events: z.array(eventType),
  signature_version: signatureVersion.optional(),
  ...modified,
});

const webhookPing = object(
  'WebhookPing',
  'A test event, by its id. The id tells repeated deliveries from others.',
  { event_id: uuid },
);
const signingKey = object('WebhookSigningKey', 'Verifies signatures of version 2: RSA-PSS with SHA-256.', {
  public_key_pem: z.string(),
});
const pong = object('Pong', 'The service answers.', {});

export const webhookSchemas = {
  'webhooks.create': { body: createWebhook, responses: { 201: webhook } },
  'webhooks.list': { query: z.strictObject(pageQuery), responses: { 200: page(webhook) } },
  'webhooks.eventTypes': { responses: { 200: z.array(eventType) } },
  'webhooks.signingKey': { responses: { 200: signingKey } },
  'webhooks.get': { responses: { 200: webhook } },
  'webhooks.replace': { body: replaceWebhook, responses: { 200: webhook } },
  'webhooks.delete': { responses: { 204: empty } },
  /** `id` of the event, which tells repeated deliveries apart from others. */
  'webhooks.ping': { responses: { 202: webhookPing } },
  ping: { responses: { 200: pong } },
};
