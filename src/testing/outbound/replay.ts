import type { OutboundRequest, OutboundResponse } from '../../../emulator/doubles/stub.js';
import { isObject, mapLeaves } from '../../contract/json.js';

type RecordedBody = { json?: unknown } | { text: string } | { bytes: string };

interface RecordedCall {
  request: { method: string; url: string; body?: RecordedBody };
  response: { status: number; headers: readonly (readonly string[])[]; body?: RecordedBody };
}

/** What `tokenctl reactor test --record` writes: the calls of each test case. */
export interface Cassette {
  version: number;
  cases: Record<string, readonly RecordedCall[]>;
}

/** The values that placeholders of a recording have in a request, by name. */
type Values = Map<string, string>;

/** `{{token.card.number}}`, `{{token.card.number|number}}`, `{{base64 "{{configuration.KEY}}:"}}` */
const PLACEHOLDER = /\{\{(?:[\w-]+ "(?:[^"\\]|\\.)*"|([^{}|]+)(?:\|[^{}]*)?)\}\}/g;

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Creates the function that answers from a cassette, whose placeholders stand for any value. Calls that were recorded several times
 * are answered in their order, the last one again and again.
 * @returns undefined for a request that was not recorded
 */
export function createReplay({
  cases,
}: Cassette): (request: OutboundRequest) => OutboundResponse | undefined {
  const calls = Object.values(cases).flat();
  const used = new Set<RecordedCall>();
  return (request) => {
    const matching = calls
      .map((call) => ({ call, values: matchCall(call, request) }))
      .filter((one): one is { call: RecordedCall; values: Values } => one.values !== undefined);
    const found = matching.find(({ call }) => !used.has(call)) ?? matching.at(-1);
    if (!found) return undefined;
    used.add(found.call);
    return toResponse(found.call, found.values);
  };
}

/** @returns the values of the placeholders; undefined if the call is another one */
function matchCall(
  { request: { method, url, body } }: RecordedCall,
  request: OutboundRequest,
): Values | undefined {
  const values: Values = new Map();
  const matches =
    method === request.method &&
    [request.url, request.url.replace(/^https:/, 'http:')].some((sent) => matchText(url, sent, values)) &&
    matchBody(body, request, values);
  return matches ? values : undefined;
}

function matchBody(body: RecordedBody | undefined, { text, body: sent }: OutboundRequest, values: Values) {
  if (body === undefined) return text === '';
  if ('text' in body) return matchText(body.text, text, values);
  return 'bytes' in body
    ? matchText(body.bytes, text, values)
    : matchJson((body as { json: unknown }).json, sent, values);
}

function matchText(recorded: string, actual: string, values: Values): boolean {
  const names: (string | undefined)[] = [];
  let source = '';
  let end = 0;
  for (const { 0: placeholder, 1: name, index } of recorded.matchAll(PLACEHOLDER)) {
    source += `${escapeRegExp(recorded.slice(end, index))}([^]*?)`;
    names.push(name);
    end = index + placeholder.length;
  }
  const found = new RegExp(`^${source}${escapeRegExp(recorded.slice(end))}$`).exec(actual);
  for (const [index, name] of names.entries())
    if (name !== undefined && found) values.set(name, found[index + 1] ?? '');
  return found !== null;
}

function matchJson(recorded: unknown, actual: unknown, values: Values): boolean {
  if (typeof recorded === 'string')
    return (
      (typeof actual === 'string' || typeof actual === 'number') &&
      matchText(recorded, String(actual), values)
    );
  if (Array.isArray(recorded))
    return (
      Array.isArray(actual) &&
      actual.length === recorded.length &&
      recorded.every((item, index) => matchJson(item, actual[index], values))
    );
  if (!isObject(recorded)) return recorded === actual;
  return (
    isObject(actual) &&
    Object.keys(actual).length === Object.keys(recorded).length &&
    Object.entries(recorded).every(([name, item]) => matchJson(item, actual[name], values))
  );
}

function toResponse({ response: { status, headers, body } }: RecordedCall, values: Values): OutboundResponse {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (placeholder, name) => (name && values.get(name)) ?? placeholder);
  const filled = headers.map(([name = '', value = '']) => [name, fill(value)]);
  return { status, headers: Object.fromEntries(filled), body: fillBody(body, fill) };
}

function fillBody(body: RecordedBody | undefined, fill: (text: string) => string): unknown {
  if (body === undefined) return undefined;
  if ('text' in body) return fill(body.text);
  if ('bytes' in body) return Buffer.from(fill(body.bytes), 'latin1');
  const fillLeaf = (leaf: unknown) => {
    if (typeof leaf !== 'string') return leaf;
    return /^\{\{[^{}]*\|number\}\}$/.test(leaf) ? Number(fill(leaf)) : fill(leaf);
  };
  // As text: a recorded string is JSON too.
  return JSON.stringify(mapLeaves((body as { json: unknown }).json, fillLeaf, fill));
}
