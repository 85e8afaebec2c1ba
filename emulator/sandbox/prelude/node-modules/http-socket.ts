import { EventEmitter } from 'node:events';

/** Stands for the connection, which the host has. */
export class SocketPlaceholder extends EventEmitter {
  readonly encrypted: boolean;
  readonly authorized = true;
  readonly connecting = false;
  readonly remoteAddress = undefined;

  constructor(encrypted: boolean) {
    super();
    this.encrypted = encrypted;
  }

  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  destroy = (): this => this;
}
