import { type KeyNeed, typesFor } from '../contract/permissions.js';
import { createHttpTransport, type TlsOptions } from './http-transport.js';
import type { Transport } from './transport.js';

/** Where requests go, and with which key. */
export interface Connection {
  transport: Transport;
  /** What the service's headers start with; `SVC` by default. */
  headerPrefix?: string | undefined;
  /** The key for an operation that needs this; undefined sends none. */
  apiKey: (need: KeyNeed) => string | undefined;
  /** What prompts call the service; the URL of the transport by default. */
  name?: string | undefined;
  /** Its tenant, once a command has asked for it; notices and prompts name it. */
  tenant?: string | undefined;
  /** Called before a request that can change something; rejects to refuse it. @param confirmed the user has just agreed */
  beforeWrite?: ((confirmed?: boolean) => Promise<void>) | undefined;
}

/** Returns what notices and prompts call a service, with its tenant if that is known. */
export function describeConnection({ name, tenant, transport }: Connection): string {
  const service = name ?? transport.url;
  return tenant === undefined ? service : `${service} (${tenant})`;
}

export interface ServiceTarget extends TlsOptions {
  /** `https://api.example.com`; may have a path. */
  baseUrl: string;
  /** One key for every operation, or one key per application type; the client picks by permission. */
  apiKey: string | ApiKeys;
  /** What the service's headers start with; `SVC` by default. */
  headerPrefix?: string | undefined;
}

/** Opens a connection over HTTP. Nothing is sent yet. @throws {TypeError} */
export async function connectOverHttp({
  baseUrl,
  apiKey,
  headerPrefix,
  certificate,
}: ServiceTarget): Promise<Connection> {
  // A variable that is not set gets past the compiler in many programs.
  if (!baseUrl || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('The option baseUrl must be an http or https URL, such as https://api.example.com.');
  if (!apiKey) throw new TypeError('The option apiKey is missing: a key, or keys by type of application.');
  const keys: ApiKeys = typeof apiKey === 'string' ? { any: apiKey } : apiKey;
  return {
    transport: await createHttpTransport(baseUrl, { certificate }),
    headerPrefix,
    apiKey: (need) => selectKey(keys, need),
  };
}

/** API keys by the type of their application; spec, Authentication, rule 4. */
export interface ApiKeys {
  management?: string | undefined;
  private?: string | undefined;
  public?: string | undefined;
  /** Used for an operation for which none of the others qualifies. */
  any?: string | undefined;
}

/** The order in which keys are tried: a private key may do everything that a public one may. */
const PREFERENCE = ['management', 'private', 'public'] as const;

export function selectKey(keys: ApiKeys, need: KeyNeed): string | undefined {
  const types = typesFor(need);
  for (const type of PREFERENCE) {
    const key = types.includes(type) ? keys[type] : undefined;
    if (key !== undefined) return key;
  }
  return keys.any;
}
