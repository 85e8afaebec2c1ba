import * as z from 'zod';
import { APPLICATION_TYPES } from '../../contract/application-types.js';
import { LIMITS } from '../../contract/limits.js';
import { providedModule, REACTOR_MODULES } from '../../contract/reactor-runtime.js';
import { accessControls } from '../../contract/schemas/applications.js';
import { callbackUrl, deduplicationBehavior, oneOf } from '../../contract/schemas/common.js';
import { orderedTransforms } from '../../contract/schemas/proxies.js';
import { runtime } from '../../contract/schemas/reactors.js';
import type { tenantSettings } from '../../contract/schemas/tenants.js';
import { webhookContent } from '../../contract/schemas/webhooks.js';
import { emulatorSection } from './emulator-section.js';

const text = z.string().min(1);
const name = text.max(LIMITS.nameCharacters);

const described = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description });

/** An address may hold `${var:…}` and `${env:…}`; it is checked when they are replaced. */
const address = z.string().superRefine((text, context) => {
  if (/\$\{(?:var|env):/.test(text)) return;
  for (const { message } of callbackUrl.safeParse(text).error?.issues ?? [])
    context.addIssue({ code: 'custom', message });
});

const environmentNames = z.array(text).min(1).optional();

/** In which environments an object is declared. */
const presence = {
  only: described(
    environmentNames,
    'The environments that the object is declared in; it is in no other, and not without one.',
  ),
  except: described(environmentNames, 'The environments that the object is not declared in.'),
};

const variables = z
  .record(z.string().regex(/^\w+$/, 'must consist of letters, digits and _'), z.string('must be a string'))
  .optional();

const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], 'must be true or false')
  .transform((value): 'true' | 'false' => (String(value) === 'true' ? 'true' : 'false'));

const settings = z.strictObject({
  fingerprint_tokens: described(flag.optional(), 'Whether every token gets a fingerprint.'),
  deduplicate_tokens: described(flag.optional(), 'Whether creating a duplicate returns the existing token.'),
  disable_ephemeral_proxy: described(flag.optional(), 'Whether requests to /proxy must name a proxy.'),
  token_deduplication_behavior: described(
    deduplicationBehavior.optional(),
    'Whether a duplicate changes the existing token.',
  ),
} satisfies Record<keyof z.infer<typeof tenantSettings>, z.ZodType>);

const tenant = z.strictObject({
  name: described(name.optional(), 'The name of the tenant.'),
  settings: described(settings.optional(), 'Settings; those that are not listed stay unchanged.'),
});

const previousName = described(
  name.optional(),
  'The former name. An object of this name is renamed instead of creating another one.',
);

const notBoth = (access: { permissions?: unknown; rules?: unknown }): boolean =>
  access.permissions === undefined || access.rules === undefined;
const NOT_BOTH = { path: ['rules'], error: 'cannot be combined with permissions; an application has either' };

const applicationOverlay = z.strictObject({
  name: described(name, 'The name, which identifies the application.'),
  permissions: described(accessControls.permissions, 'What it may do in the whole tenant.'),
  rules: described(accessControls.rules, 'What it may do by container; replaces `permissions`.'),
});

const application = applicationOverlay.extend({
  previous_name: previousName,
  ...presence,
  type: described(
    oneOf(APPLICATION_TYPES).optional(),
    'The type; required to create the application, and never changes.',
  ),
});

const configurationValue = z.string('must be a string; put numbers and true or false in quotes');

const configuration = described(
  z.record(z.string(), configurationValue).optional(),
  'Configuration values. Secrets are references to a variable, a file or a command; see docs/manifest.md.',
);

const overriddenConfiguration = described(
  z.record(z.string(), configurationValue.nullable()).optional(),
  'Configuration values; null removes one.',
);

const envFile = described(
  text.optional(),
  'File with lines of NAME=value, or NAME for a value of the environment.',
);

const external = described(
  z.array(text).optional(),
  'Modules that are not bundled because the runtime provides them.',
);

const minify = described(z.boolean().optional(), 'true minifies the code, unless `bundle` is false.');

const smokeCase = z.strictObject({
  name: described(text.optional(), 'What the case shows; for reports.'),
  args: described(
    z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
    'Arguments of the invocation.',
  ),
  expect: described(
    z.unknown().optional(),
    'The whole response, with { "$type": … } and { "$match": … } for values that vary. Without it, any success passes.',
  ),
});

const reactorOverlay = z.strictObject({
  name: described(name, 'The name, which identifies the reactor.'),
  configuration: overriddenConfiguration,
  env_file: envFile,
  application: described(
    name.nullable().optional(),
    'Name of the application whose permissions the code has as `svc`; null for none.',
  ),
  runtime: described(
    runtime.nullable().optional(),
    'How the code runs, as the API has it: { image: node22 } for the newer contract; null for none.',
  ),
  smoke: described(
    z.array(smokeCase).optional(),
    'Invocations that must succeed after a change; else the previous version is restored.',
  ),
});

const reactor = reactorOverlay.extend({
  name: described(name.optional(), 'The name, which identifies the reactor; that of the file by default.'),
  previous_name: previousName,
  ...presence,
  configuration,
  code: described(text, 'File with the code (.js, .ts), relative to the manifest.'),
  bundle: described(z.boolean().optional(), 'false uploads the file as it is.'),
  minify,
  external,
});

const proxyOverlay = z.strictObject({
  name: described(name, 'The name, which identifies the proxy.'),
  destination_url: described(address.optional(), 'Where requests are sent to; required to create the proxy.'),
  configuration: overriddenConfiguration,
  env_file: envFile,
  application: described(
    name.nullable().optional(),
    'Name of the application whose permissions the transforms have; null for none.',
  ),
  require_auth: described(
    z.boolean().optional(),
    'Whether requests need an API key; true for a new proxy by default.',
  ),
  disable_detokenization: described(
    z.boolean().nullable().optional(),
    'Whether expressions in requests are forwarded as they are.',
  ),
  client_certificate: described(
    name.nullable().optional(),
    'Name of the configuration value with a client certificate and its private key (PEM); null for none.',
  ),
});

const proxy = proxyOverlay.extend({
  previous_name: previousName,
  ...presence,
  configuration,
  request_transform: described(
    text.nullable().optional(),
    'File with the code (.js, .ts) that changes requests, relative to the manifest; null for none.',
  ),
  response_transform: described(
    text.nullable().optional(),
    'File with the code (.js, .ts) that changes responses, relative to the manifest; null for none.',
  ),
  request_transforms: described(
    orderedTransforms.request_transforms,
    'Transforms that run after it, in their order, as the API has them; null for none.',
  ),
  response_transforms: described(
    orderedTransforms.response_transforms,
    'Transforms that run after it, in their order, as the API has them; null for none.',
  ),
  bundle: described(z.boolean().optional(), 'false uploads the files of the transforms as they are.'),
  minify,
  external,
});

const webhookOverlay = z.strictObject({
  name: described(name, 'The name, which identifies the webhook.'),
  url: described(address.optional(), 'Where events are sent to; required to create the webhook.'),
  events: described(webhookContent.events.optional(), 'Types of events; required to create the webhook.'),
  notify_email: described(
    webhookContent.notify_email.optional(),
    'Address of the operator of the webhook; null for none.',
  ),
  signature_version: described(
    webhookContent.signature_version.optional(),
    'How events are signed: "1" by HMAC, the default; "2" by RSA-PSS.',
  ),
});

const webhook = webhookOverlay.extend({ previous_name: previousName, ...presence });

const unnamed = { name: true, previous_name: true, only: true, except: true } as const;

const defaults = z.strictObject({
  applications: described(application.omit(unnamed).refine(notBoth, NOT_BOTH).optional(), 'Of applications.'),
  reactors: described(reactor.omit({ ...unnamed, code: true }).optional(), 'Of reactors.'),
  proxies: described(proxy.omit(unnamed).optional(), 'Of proxies.'),
  webhooks: described(webhook.omit(unnamed).optional(), 'Of webhooks.'),
});

const providedName = z
  .string()
  .refine((given) => providedModule(given) !== undefined, `must be one of ${REACTOR_MODULES.join(', ')}`);

const target = {
  profile: described(text.optional(), 'Profile of the user configuration that provides service and keys.'),
  base_url: described(text.optional(), 'Base URL of the service.'),
  header_prefix: described(
    z
      .string()
      .regex(/^[\w-]+$/, 'must consist of letters, digits, - and _')
      .optional(),
    "Prefix of the service's headers, SVC by default. `reactor run` and `reactor test` name the client of reactors after it.",
  ),
  external: described(
    z.array(text).optional(),
    'Modules that the runtime of the service provides to all code, besides its own.',
  ),
};

const environment = z.strictObject({
  ...target,
  tenant_id: described(
    z.uuid('must be the ID of a tenant; see tokenctl auth status').optional(),
    'ID of the tenant that the environment stands for. With the key of another tenant, nothing is planned or applied.',
  ),
  variables: described(variables, 'Overrides values of `variables`.'),
  tenant: described(tenant.optional(), 'Overrides values of `tenant`.'),
  applications: described(
    z.array(applicationOverlay.refine(notBoth, NOT_BOTH)).optional(),
    'Overrides values of applications, by name.',
  ),
  reactors: described(z.array(reactorOverlay).optional(), 'Overrides values of reactors, by name.'),
  proxies: described(z.array(proxyOverlay).optional(), 'Overrides values of proxies, by name.'),
  webhooks: described(z.array(webhookOverlay).optional(), 'Overrides values of webhooks, by name.'),
});

/** The content of `tokenctl.yaml` and `tokenctl.json`; cli.md, The tenant as code. */
export const manifestSchema = z.strictObject({
  $schema: described(z.string().optional(), 'URL of the JSON Schema, for editors.'),
  ...target,
  module_aliases: described(
    z.record(text, providedName).optional(),
    'Names by which reactors require modules that the service provides, and the module that each name stands for.',
  ),
  emulator: described(
    emulatorSection.optional(),
    'Options of the emulator, as `tokenctl emulator start` has them.',
  ),
  include: described(
    z.array(text).optional(),
    'Files with more of the manifest, relative to it: their lists are added to its own.',
  ),
  variables: described(variables, 'Texts by name, which values refer to; see docs/manifest.md.'),
  defaults: described(defaults.optional(), 'What objects have unless they say otherwise.'),
  tenant: described(tenant.optional(), 'The tenant itself.'),
  applications: described(z.array(application.refine(notBoth, NOT_BOTH)).optional(), 'Applications.'),
  reactors: described(z.array(reactor).optional(), 'Reactors.'),
  proxies: described(z.array(proxy).optional(), 'Proxies.'),
  webhooks: described(z.array(webhook).optional(), 'Webhooks.'),
  environments: described(
    z.record(z.string(), environment).optional(),
    'Environments by name, chosen with --environment.',
  ),
  forget: described(
    z.array(name).optional(),
    'Names of objects that were created from this manifest and must not be deleted by --prune.',
  ),
});

export type ManifestContent = z.infer<typeof manifestSchema>;
export type TenantRow = z.infer<typeof tenant>;
export type ApplicationRow = z.infer<typeof application>;
export type ReactorRow = z.infer<typeof reactor>;
export type ProxyRow = z.infer<typeof proxy>;
export type SmokeCase = z.infer<typeof smokeCase>;
