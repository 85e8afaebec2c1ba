import type { FastifyInstance } from 'fastify';
import { pagePolicy, servePageFiles } from '../lib/page-files.js';

const FILES = {
  '/ui': '#dashboard/index.html',
  '/ui/workbench.css': '#dashboard/workbench.css',
  '/ui/workbench.js': '#dashboard/workbench.js',
};

const HEADERS = {
  'content-security-policy': pagePolicy("img-src 'self' data:", "frame-ancestors 'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves the page of the dashboard. The page holds no data; it loads everything with the control token. */
export async function dashboardPlugin(app: FastifyInstance): Promise<void> {
  servePageFiles(app, FILES, HEADERS);
}
