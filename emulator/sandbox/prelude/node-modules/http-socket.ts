import { EventEmitter } from 'node:events';

/** Stands for the connection, which the host has. */
export class SocketPlaceholder extends EventEmitter {
  readonly encrypted: boolean;
  /** False also if the certificate is not checked. */
  readonly authorized: boolean;
  readonly connecting = false;
  readonly remoteAddress = undefined;

  constructor(encrypted: boolean, authorized: boolean) {
    super();
    this.encrypted = encrypted;
    this.authorized = authorized;
  }

  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  destroy = (): this => this;
}
