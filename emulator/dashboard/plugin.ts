import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pagePolicy, readPageFile, servePageFiles } from '../lib/page-files.js';

const FILES = {
  '/ui/workbench.css': '#dashboard/workbench.css',
  '/ui/workbench.js': '#dashboard/workbench.js',
  '/ui/editor.js': '#dashboard/editor.js',
};

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves the page of the dashboard. The page holds no data; it loads everything with the control token. */
export async function dashboardPlugin(app: FastifyInstance): Promise<void> {
  app.get('/ui', async (_request, reply) => {
    const [text, type] = await readPageFile('#dashboard/index.html');
    // The editor writes style sheets of its own.
    const nonce = randomBytes(16).toString('base64');
    const policy = pagePolicy(
      `style-src-elem 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "frame-ancestors 'none'",
    );
    const headers = { ...HEADERS, 'content-security-policy': policy, 'content-type': type };
    return reply.headers(headers).send(text.replace('nonce=""', `nonce="${nonce}"`));
  });
  servePageFiles(app, FILES, HEADERS);
}
