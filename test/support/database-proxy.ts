import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Which message of the protocol the connection is cut at, and on which side of the server's work. */
export type Cut = 'before the server has it' | 'after the server answered it';

/** The same for a connection that becomes silent; or the server gets the message when the client has given up. */
export type Silence = Cut | 'and the server gets it later';

/** Stands between the store and its database, cuts connections, and lets them hang. */
export class DatabaseProxy {
  /** The URL of the database by way of the proxy. */
  url = '';
  #port = 0;
  #cut: { text: string; when: Silence; isSilent: boolean } | undefined;
  #cuts = 0;
  /** The sockets of all connections, to either side. */
  readonly #sockets = new Set<Socket>();
  #isStalled = false;
  /** Messages of the server that are still to pass before a connection is reset. */
  #untilReset = Number.POSITIVE_INFINITY;

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy();
    const target = new URL(databaseUrl);
    proxy.#port = Number(target.port);
    const server = createServer((client) => proxy.#serve(client, proxy.#port));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    target.port = String((server.address() as AddressInfo).port);
    proxy.url = target.href;
    return proxy;
  }

  /** The number of connections that were cut or became silent. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Cuts the next connection that sends a text. */
  cutAt(text: string, when: Cut): void {
    this.#cut = { text, when, isSilent: false };
  }

  /** Resets the connection in which this message of the server comes, counted from 1 over all of them, in its place. */
  resetAt(message: number): void {
    this.#untilReset = message;
  }

  /** Whether the message has not come yet. */
  get isResetDue(): boolean {
    return Number.isFinite(this.#untilReset);
  }

  /** Keeps the next connection that sends a text open, and answers nothing any more. */
  silenceAt(text: string, when: Silence): void {
    this.#cut = { text, when, isSilent: true };
  }

  /** Takes back what was asked for and has not happened. */
  heal(): void {
    this.#cut = undefined;
    this.#untilReset = Number.POSITIVE_INFINITY;
  }

  /** Leads connections to another server from now on, as the address of a database does after a failover. */
  redirect(port: number): void {
    this.#port = port;
  }

  /** Accepts connections and lets nothing through, as a server whose processes have stopped. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lets everything through again, also what was sent in the meantime. */
  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #serve(client: Socket, port: number): void {
    const server = connect(port, '127.0.0.1');
    let cut: Silence | undefined;
    let isSilent = false;
    const end = () => {
      client.destroy();
      server.destroySoon();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      if (cut === 'before the server has it') return;
      if (cut === undefined && this.#cut && bytes.includes(this.#cut.text)) {
        ({ when: cut, isSilent } = this.#cut);
        this.#cut = undefined;
        this.#cuts += 1;
        if (cut === 'before the server has it') return void (isSilent || end());
        if (cut === 'and the server gets it later') server.cork();
      }
      server.write(bytes);
    });
    const passing = new MessageCounter();
    server.on('data', (bytes) => {
      if (cut !== undefined) return void (isSilent || end());
      const messages = passing.startsIn(bytes);
      const last = messages[this.#untilReset - 1];
      this.#untilReset -= messages.length;
      if (last === undefined) return void client.write(bytes);
      this.#untilReset = Number.POSITIVE_INFINITY;
      client.write(bytes.subarray(0, last), () => client.resetAndDestroy());
      server.destroy();
    });
    if (this.#isStalled) for (const socket of [client, server]) socket.pause();
  }
}

const HEADER_BYTES = 5;

/** Finds the messages of the protocol in what a server sends: a letter, the length of what follows, and that. */
class MessageCounter {
  /** Bytes of the message that has begun: its header as far as it is known, and how much is left of it. */
  #header = Buffer.alloc(0);
  #left = 0;

  /** Returns where the messages begin whose headers end in these bytes. */
  startsIn(bytes: Buffer): number[] {
    const starts: number[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, bytes.length - at);
        this.#left -= passed;
        at += passed;
        continue;
      }
      const missing = HEADER_BYTES - this.#header.length;
      const part = bytes.subarray(at, at + missing);
      this.#header = Buffer.concat([this.#header, part]);
      at += part.length;
      if (this.#header.length < HEADER_BYTES) break;
      starts.push(Math.max(0, at - HEADER_BYTES));
      this.#left = this.#header.readUInt32BE(1) - 4;
      this.#header = Buffer.alloc(0);
    }
    return starts;
  }
}
