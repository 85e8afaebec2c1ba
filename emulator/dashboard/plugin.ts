import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageFile } from '../../src/contract/files.js';
import { pagePolicy, readPageFile, servePageFiles } from '../lib/page-files.js';

const FILES = {
  '/ui/workbench.css': '#dashboard/workbench.css',
  '/ui/workbench.js': '#dashboard/workbench.js',
  '/ui/editor.js': '#dashboard/editor.js',
  '/ui/markdown.js': '#dashboard/markdown.js',
};

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Reads the pages of the documentation, and the reference of the command line, which the build writes. */
async function readDocs() {
  const folder = join(dirname(packageFile('tokenctl/package.json')), 'docs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const files = [packageFile('#dashboard/cli.md'), ...names.map((name) => join(folder, name))];
  return Promise.all(
    files.map(async (file) => ({ name: basename(file, '.md'), text: await readFile(file, 'utf8') })),
  );
}

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
  // Relative: a proxy may serve the page below a path of its own.
  app.get('/ui/docs', async ({ url }, reply) =>
    reply.redirect(`${/docs\/(\?|$)/.test(url) ? '../' : ''}../ui#/docs`),
  );
  app.get('/ui/docs.json', async (_request, reply) => reply.headers(HEADERS).send(await readDocs()));
  servePageFiles(app, FILES, HEADERS);
}
