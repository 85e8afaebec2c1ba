import * as http from 'node:http';
import { connect as connectTcp, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { endpointOf } from './address.js';

/** Returns undefined if a TCP connection to the host of a URL can be opened, else the code of the error, or `timeout`. */
export function connectError(url: string, timeoutMs: number): Promise<string | undefined> {
  const socket = connectTcp({ ...endpointOf(url), timeout: timeoutMs });
  return new Promise<string | undefined>((resolve) => {
    socket
      .once('connect', () => resolve(undefined))
      .once('timeout', () => resolve('timeout'))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
  }).finally(() => socket.destroy());
}

/** Whether the host of a URL speaks TLS. Nothing is sent but the handshake, so that the certificate does not matter. */
export function speaksTls(url: string, timeoutMs: number): Promise<boolean> {
  const { host, port } = endpointOf(url);
  const socket = connectTls({ host, port, rejectUnauthorized: false, timeout: timeoutMs });
  return new Promise<boolean>((resolve) => {
    socket
      .once('secureConnect', () => resolve(true))
      .once('timeout', () => resolve(false))
      .once('close', () => resolve(false))
      .once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** Whether the host of a URL speaks HTTP without TLS. */
export function speaksHttp(url: string, timeoutMs: number): Promise<boolean> {
  const { host, port } = endpointOf(url);
  const request = http.get({ host, port, path: '/', timeout: timeoutMs });
  return new Promise<boolean>((resolve) => {
    request
      .once('response', () => resolve(true))
      .once('timeout', () => resolve(false))
      .once('error', () => resolve(false));
  }).finally(() => request.destroy());
}

/** Returns why a port cannot be listened on: Node's code, such as `EADDRINUSE`; undefined if it can. */
export function listenError(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
