import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Method } from '../../src/contract/operation-row.js';

/** A request and its expected response; fixtures/http/README.md describes the format. */
export interface Exchange {
  title: string;
  /** File and line, for messages: `tokens-create.http:12`. */
  place: string;
  method: Method;
  /** Path and query, with placeholders. */
  target: string;
  request: Message;
  status: number;
  response: Message;
}

interface Message {
  headers: [name: string, value: string][];
  body: string;
}

interface FixtureFile {
  name: string;
  exchanges: Exchange[];
}

const FOLDER = fileURLToPath(new URL('../../fixtures/http/', import.meta.url));

export function readFixtures(): FixtureFile[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.http'))
    .sort()
    .map((name) => ({ name, exchanges: parseFixture(name, readFileSync(`${FOLDER}${name}`, 'utf8')) }));
}

function parseFixture(name: string, text: string): Exchange[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('### ') ? [index] : []));
  return starts.map((start, index) => {
    const place = `${name}:${start + 1}`;
    return parseExchange(lines.slice(start, starts[index + 1]), place);
  });
}

function parseExchange([heading = '', ...lines]: string[], place: string): Exchange {
  const split = lines.findIndex((line) => /^HTTP\/1\.1 \d{3}/.test(line));
  const request = lines.slice(0, split).filter((line) => !line.startsWith('#'));
  const [method, target] = request.shift()?.split(' ') ?? [];
  const status = Number(lines[split]?.split(' ')[1]);
  if (split < 0 || !method || !target) throw new Error(`${place} is not a request and its response.`);
  return {
    title: heading.slice(4).trim(),
    place,
    method: method as Method,
    target,
    request: parseMessage(request),
    status,
    response: parseMessage(lines.slice(split + 1)),
  };
}

function parseMessage(lines: string[]): Message {
  const empty = lines.indexOf('');
  const head = empty < 0 ? lines : lines.slice(0, empty);
  const body = empty < 0 ? '' : lines.slice(empty).join('\n').trim();
  const headers = head.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { headers, body };
}
