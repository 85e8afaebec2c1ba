import { createHmac } from 'node:crypto';

/**
 * Signs a callback, so that its receiver can verify sender and time (decisions.md, "Reactors").
 * @param time milliseconds since 1970
 * @returns `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`
 */
export function signBody(body: string, secret: string, time: number): string {
  const seconds = Math.floor(time / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
