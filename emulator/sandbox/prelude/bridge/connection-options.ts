import { CONNECTION_OPTIONS } from '../../network/connection-options.js';
import { toArrayBuffer } from './host.js';

type Options = Readonly<Record<string, unknown>>;

/** Options that decide whom a request reaches, or how it is encrypted, and that the host does not apply. */
const UNSUPPORTED = [
  ...['ALPNCallback', 'ALPNProtocols', 'allowPartialTrustChain', 'checkServerIdentity', 'clientCertEngine'],
  ...['createConnection', 'localAddress', 'localPort', 'lookup', 'minDHSize', 'privateKeyEngine'],
  ...['privateKeyIdentifier', 'pskCallback', 'secureContext', 'session', 'socket', 'socketPath'],
];

/** Methods of agents that connect by themselves, for example through a proxy. */
const CONNECTING = ['addRequest', 'callback', 'connect', 'createConnection', 'createSocket'];

/** The agent of requests that name none. Code may change its options. */
export const defaults: { agent?: { options: object } } = {};

/** Reads the options of a request and its agent, which win. @throws an error that names one that is not applied */
export function readConnectionOptions(protocol: string, options: object, agent: unknown) {
  const all: Options = { ...options, ...optionsOf(agent === undefined ? defaults.agent : agent) };
  const unsupported = UNSUPPORTED.find((name) => isGiven(all[name]));
  if (unsupported !== undefined) throw createUnsupportedError(`the option ${unsupported}`);
  if (protocol !== 'https:') return undefined;
  const names = Object.keys(CONNECTION_OPTIONS).filter((name) => isGiven(all[name]));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, encode(all[name])]));
}

export const createUnsupportedError = (what: string): Error =>
  Object.assign(new Error(`Requests cannot have ${what} in this runtime. --reactor-runtime node has it.`), {
    code: 'ERR_UNSUPPORTED_OPTION',
  });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function optionsOf(agent: unknown): object {
  if (typeof agent !== 'object' || agent === null) return {};
  const given = agent as { options?: object; constructor?: { name?: string } };
  if (CONNECTING.some((name) => typeof (agent as Options)[name] === 'function'))
    throw createUnsupportedError(`an agent with connections of its own (${given.constructor?.name})`);
  return given.options ?? {};
}

/** Writes bytes as base64, which JSON can hold. The host checks the rest. */
function encode(value: unknown): never {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return { base64: Buffer.from(toArrayBuffer(value)).toString('base64') } as never;
  if (Array.isArray(value)) return value.map(encode) as never;
  if (typeof value !== 'object' || value === null) return value as never;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, encode(part)])) as never;
}
