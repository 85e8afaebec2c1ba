import { resolve } from 'node:path';
import type { Emulator, EmulatorOptions, RunningEmulator } from '../../emulator/index.js';
import { createControlClient } from '../client/control.js';
import { CONTROL_PREFIX } from '../contract/control/endpoints.js';
import type { Credentials } from '../contract/control/state-file.js';
import { type Controls, createControls } from './controls.js';
import { createTenant, type Tenant } from './tenant.js';

export interface NewTenant {
  /** Default `test`. */
  name?: string;
  /**
   * A tenant whose content it gets, or the directory of a manifest, which is applied once. Tokens keep their ids, all other objects get
   * new ones; find them by name. Proxies get new keys, and applications beside the first three have none.
   */
  from?: Pick<Tenant, 'tenant_id'> | string;
  /** A snapshot of the tenant `from`, whose content it gets instead. */
  snapshot?: string;
}

/** An emulator that tests control: as a whole, and tenant by tenant. */
export interface TestEmulator extends Controls {
  /** The base URL. */
  readonly url: string;
  /** The bearer token of the control endpoints. */
  readonly controlToken: string;
  readonly tenants: {
    /** Creates an isolated tenant, in a few milliseconds. */
    create(options?: string | NewTenant): Promise<Tenant>;
    /** Those that the emulator created, the oldest first. Close them after use. */
    list(): Promise<Tenant[]>;
  };
  /** Masks the data of all tokens, deleted ones included, in a text that is kept. The result has the same length. */
  redact(text: string): Promise<string>;
  /** Disconnects. Stops an emulator of this process, after it has finished its requests, and frees its data directory. */
  close(): Promise<void>;
}

/** An emulator of this process. */
export type StartedEmulator = TestEmulator & Omit<RunningEmulator, 'clock' | 'close'>;

/** The base URL and the control token of an emulator. */
export interface EmulatorAddress {
  url: string;
  controlToken: string;
  headerPrefix?: string | undefined;
  /** The only certificate to trust, as PEM: that of an emulator with https. */
  certificate?: string | undefined;
  /** A tenant whose content new tenants get. */
  template?: Template | undefined;
}

/** A tenant that a manifest was applied to, for others to be created from. */
interface Template {
  tenant_id: string;
  /** That of the manifest. Absolute. */
  directory?: string;
}

/** Reads the address that `emulator exec` passes to its command; undefined when there is none. */
export function addressFromEnvironment(): EmulatorAddress | undefined {
  const {
    TOKENCTL_CONTROL_URL: url,
    TOKENCTL_CONTROL_TOKEN: controlToken,
    TOKENCTL_HEADER_PREFIX: headerPrefix,
    TOKENCTL_CERTIFICATE: certificate,
    TOKENCTL_TEMPLATE: template,
  } = process.env;
  if (!url || !controlToken) return undefined;
  return {
    url: url.replace(new RegExp(`${CONTROL_PREFIX}/?$`), ''),
    controlToken,
    headerPrefix,
    certificate,
    template: template === undefined ? undefined : JSON.parse(template),
  };
}

export const connectControl = ({ url, controlToken, headerPrefix, certificate }: EmulatorAddress) =>
  createControlClient(
    { base_url: url, control_token: controlToken, header_prefix: headerPrefix, certificate },
    new AbortController().signal,
  );

/** Connects to an emulator of another process; by default to that of `emulator exec`. */
export async function connectEmulator(address = addressFromEnvironment()): Promise<TestEmulator> {
  if (!address)
    throw new Error(
      'TOKENCTL_CONTROL_URL and TOKENCTL_CONTROL_TOKEN are not set. Run this with `tokenctl emulator exec`; in Playwright, set globalSetup to "tokenctl/playwright/setup".',
    );
  const { url, controlToken, headerPrefix, certificate } = address;
  const control = await connectControl(address);
  const host = { baseUrl: url, headerPrefix, certificate, control };
  const controls = createControls(control);
  const templates = createTemplates(async () =>
    createTenant(await control.call('tenants.create', { body: { name: 'template' } }), host),
  );
  return {
    url,
    controlToken,
    ...controls,
    tenants: {
      async create(options = {}) {
        const { name = 'test', from, snapshot } = typeof options === 'string' ? { name: options } : options;
        const given: Template | undefined = typeof from === 'string' ? await templates.of(from) : from;
        const template = given ?? address.template;
        const body = { name, from: template?.tenant_id, snapshot };
        return createTenant(await control.call('tenants.create', { body }), host, template?.directory);
      },
      list: async () => {
        const { tenants } = await control.call('tenants.list');
        // A test that deletes a key does not expect to find it here.
        return tenants.map((credentials) => createTenant(credentials as Credentials, host));
      },
    },
    redact: async (text) => (await control.call('redact', { body: { text } })).text,
    async close() {
      await templates.close();
      await controls.outbound.close();
      await control.close();
    },
  };
}

/** Keeps a tenant for each manifest that others are created from. @param create creates an empty tenant */
function createTemplates(create: () => Promise<Tenant>) {
  const templates = new Map<string, Promise<Tenant>>();
  const apply = async (directory: string) => {
    const tenant = await create();
    try {
      await tenant.apply(directory);
    } catch (error) {
      // The next tenant applies the manifest again.
      templates.delete(directory);
      await tenant.delete();
      throw error;
    }
    return tenant;
  };
  return {
    async of(from: string): Promise<Template> {
      const directory = resolve(from);
      const template = templates.get(directory) ?? apply(directory);
      templates.set(directory, template);
      return { tenant_id: (await template).tenant_id, directory };
    },
    async close() {
      for (const template of templates.values()) await (await template.catch(() => undefined))?.delete();
    },
  };
}

/** Loads the emulator, which programs that only connect to one do without. */
export const loadEmulator = () => import('../../emulator/index.js');

/** Starts an emulator; resolves when it accepts requests. @throws {StartError} */
export async function startEmulator(options: EmulatorOptions = {}): Promise<StartedEmulator> {
  const emulator = await (await loadEmulator()).startEmulator(options);
  const connected = await connectEmulator(addressOf(emulator, options));
  return {
    ...emulator,
    ...connected,
    async close() {
      await connected.close();
      await emulator.close();
    },
  };
}

/** Opens an emulator without a socket. @throws {StartError} */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return (await loadEmulator()).openEmulator(options);
}

export const addressOf = (
  { url, controlToken }: Pick<EmulatorAddress, 'url' | 'controlToken'>,
  { headerPrefix, tls }: EmulatorOptions,
): EmulatorAddress => ({ url, controlToken, headerPrefix, certificate: tls?.cert });
