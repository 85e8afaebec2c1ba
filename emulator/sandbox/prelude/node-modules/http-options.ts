import type { IncomingMessage } from './http-response.js';

/** Options of `http.request` that the client reads. */
interface RequestOptions {
  protocol?: string | null;
  host?: string | null;
  hostname?: string | null;
  port?: number | string | null;
  path?: string | null;
  method?: string;
  headers?: Record<string, unknown> | readonly unknown[];
  auth?: string | null;
  /** Milliseconds. */
  timeout?: number;
  signal?: AbortSignal;
  agent?: unknown;
}

export interface ParsedRequest {
  url: URL;
  options: RequestOptions;
  listener: ((response: IncomingMessage) => void) | undefined;
}

/** Reads the arguments of `http.request`: a URL, options, or both, and a listener. */
export function parseRequest(args: readonly unknown[]): ParsedRequest {
  const [first, ...others] = args;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const listener = args.find((value) => typeof value === 'function') as ParsedRequest['listener'];
  const given = (isUrl ? others[0] : first) as RequestOptions | undefined;
  const options = typeof given === 'object' && given !== null ? given : {};
  const url = isUrl ? new URL(String(first)) : toUrl(options);
  if (isUrl && options.path) url.href = new URL(options.path, url.origin).href;
  return { url, options, listener };
}

function toUrl({ protocol, hostname, host, port, path }: RequestOptions): URL {
  const name = hostname ?? host ?? 'localhost';
  const isAddress6 = name.includes(':') && !name.startsWith('[') && name.split(':').length > 2;
  const authority = `${isAddress6 ? `[${name}]` : name.replace(/:\d+$/, '')}${port ? `:${port}` : ''}`;
  return new URL(`${protocol ?? 'http:'}//${authority}${path ?? '/'}`);
}
