import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PATIENCE } from './patience.js';

export interface RawResponse {
  status: number;
  /** By lower-case name. */
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes over a socket, without an HTTP client, and returns all that comes until the connection is closed. */
function exchange(url: string, bytes: string): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  socket.setTimeout(PATIENCE.timeout, () => socket.destroy(new Error('a service that does not respond')));
  socket.write(bytes);
  return buffer(socket);
}

/** Sends text over a socket and parses the response. */
export const sendText = async (url: string, text: string): Promise<RawResponse> =>
  parsed(await exchange(url, text));

/** Sends bytes that need not be valid HTTP, and returns everything received until the connection was closed. */
export const sendBytes = async (url: string, bytes: string): Promise<string> =>
  (await exchange(url, bytes)).toString();

const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

/** Parses the first response; responses to the rest of the text may follow it. */
function parsed(received: Buffer): RawResponse {
  const answer = received.subarray(received.indexOf(CONTINUE) === 0 ? CONTINUE.length : 0);
  const split = answer.indexOf('\r\n\r\n');
  const [line = '', ...lines] = answer.subarray(0, Math.max(split, 0)).toString('latin1').split('\r\n');
  const headers = new Map(lines.map((header) => nameAndValue(header)));
  if (headers.has('transfer-encoding')) throw new Error('Answers of the service are not chunked.');
  const length = Number(headers.get('content-length') ?? 0);
  const body = answer.subarray(split + 4, split + 4 + length).toString();
  return { status: Number(line.split(' ')[1]), headers, body };
}

function nameAndValue(header: string): [string, string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
}
