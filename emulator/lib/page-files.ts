import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageFile } from '../../src/contract/files.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A policy for pages whose code and data come from the emulator only: no inline code, no form submission. */
export const pagePolicy = (...more: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ');

/** Returns a file of a page as text, and its content type. @param file such as `#dashboard/index.html` */
export async function readPageFile(file: string): Promise<[text: string, type: string]> {
  return [await readFile(packageFile(file), 'utf8'), CONTENT_TYPES[extname(file)] ?? ''];
}

/** Serves files of pages by path. */
export function servePageFiles(
  app: FastifyInstance,
  files: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  adapt = (text: string) => text,
): void {
  for (const [path, file] of Object.entries(files))
    app.get(path, async (_request, reply) => {
      const [text, type] = await readPageFile(file);
      return reply.headers({ ...headers, 'content-type': type }).send(adapt(text));
    });
}
