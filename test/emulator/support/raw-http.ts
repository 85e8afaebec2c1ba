import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** By name in lower case. */
  headers: Map<string, string>;
  body: string;
}

/** Sends text over a socket and reads to its end: no HTTP client stands in between. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.setTimeout(20_000, () => socket.destroy(new Error('No answer within 20 s.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parsed(Buffer.concat(chunks).toString('utf8'))));
    socket.on('end', () => socket.end());
    socket.write(text);
  });
}

function parsed(text: string): RawAnswer {
  const split = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, split).split('\r\n');
  const headers = new Map(lines.map((header) => nameAndValue(header)));
  if (headers.has('transfer-encoding')) throw new Error('Answers of the service are not chunked.');
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(split + 4) };
}

function nameAndValue(header: string): [string, string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
}
