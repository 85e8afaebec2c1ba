import { connect, type Socket } from 'node:net';

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A request as bytes, so that making it costs the client nothing. */
export function encode({ method, path, headers = {}, body }: RawRequest): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (text) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** A keep-alive connection that reads no more of a response than its status and its end. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve(status: number): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk) => this.#take(String(chunk)));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('closed')));
  }

  /** Answers with the status when the response has arrived. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received.slice(0, head))?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(status);
  }
}

function check(status: number): void {
  if (status < 200 || status > 299) throw new Error(`The server answered ${status}.`);
}

/** Requests per second that a server answers over a number of connections. */
export async function throughput(
  port: number,
  connections: number,
  durationMs: number,
  next: (number: number) => Buffer,
): Promise<number> {
  const open = Array.from({ length: connections }, () => new RawConnection(port));
  const end = performance.now() + durationMs;
  const began = performance.now();
  let answered = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < end) {
        check(await connection.send(next(answered)));
        answered += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of open) connection.close();
  return answered / seconds;
}

/** Milliseconds of each of a number of requests, one after the other. */
export async function latencies(
  port: number,
  count: number,
  next: (number: number) => Buffer,
): Promise<number[]> {
  const connection = new RawConnection(port);
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const began = performance.now();
    check(await connection.send(next(i)));
    times.push(performance.now() - began);
  }
  connection.close();
  return times;
}
