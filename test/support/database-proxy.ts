import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Which message of the protocol the connection is cut at, and on which side of the server's work. */
export type Cut = 'before the server has it' | 'after the server answered it';

/** Stands between the store and its database, and cuts connections. */
export class DatabaseProxy {
  /** The URL of the database by way of the proxy. */
  url = '';
  #cut: { text: string; when: Cut } | undefined;
  #cuts = 0;

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy();
    const target = new URL(databaseUrl);
    const port = Number(target.port);
    const server = createServer((client) => proxy.#serve(client, port));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    target.port = String((server.address() as AddressInfo).port);
    proxy.url = target.href;
    return proxy;
  }

  /** The number of connections that were cut. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Cuts the next connection that sends a text. */
  cutAt(text: string, when: Cut): void {
    this.#cut = { text, when };
  }

  #serve(client: Socket, port: number): void {
    const server = connect(port, '127.0.0.1');
    let isLast = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (this.#cut === undefined || !bytes.includes(this.#cut.text)) return void server.write(bytes);
      const { when } = this.#cut;
      this.#cut = undefined;
      this.#cuts += 1;
      if (when === 'before the server has it') return end();
      isLast = true;
      server.write(bytes);
    });
    server.on('data', (bytes) => (isLast ? end() : client.write(bytes)));
  }
}
