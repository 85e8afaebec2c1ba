import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

/** The files of the page by path: file name and content type. */
const FILES = {
  '/ui': ['index.html', 'text/html; charset=utf-8'],
  '/ui/workbench.css': ['workbench.css', 'text/css; charset=utf-8'],
  '/ui/workbench.js': ['workbench.js', 'text/javascript; charset=utf-8'],
} as const;

/** Allows the page's own files only: no inline code, no embedding, no form submission. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves the page of the dashboard. The page holds no data; it loads everything with the control token. */
export async function dashboardPlugin(app: FastifyInstance): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  for (const [path, [file, type]] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) =>
      reply.headers({ ...HEADERS, 'content-type': type }).send(await readFile(resolve(`#dashboard/${file}`))),
    );
  }
}
