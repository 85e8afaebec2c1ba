import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HeaderNames, headerNames } from '../../src/contract/headers.js';
import { pagePolicy, readPageFile, servePageFiles } from '../lib/page-files.js';
import { problem } from '../problems/problem.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';

interface ElementsOptions {
  /** The origins whose pages may show fields. */
  origins: Pick<AllowedOrigins, 'allows'>;
  headers: Pick<HeaderNames, 'apiKey'>;
}

const FILES = {
  '/elements.js': '#elements/elements.js',
  '/elements/frame.js': '#elements/frame.js',
  '/elements/fields.js': '#elements/fields.js',
  '/elements/frame.css': '#elements/frame.css',
};

/** A script of any page may load them; they hold no data. */
const HEADERS = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' };

/** Serves the script that puts card and bank fields into a page, and the frames in which what is typed stays. */
export async function elementsPlugin(app: FastifyInstance, { origins, headers }: ElementsOptions) {
  servePageFiles(app, FILES, HEADERS, (text) => text.replace(headerNames().apiKey, headers.apiKey));
  app.get('/elements/frame', async (request, reply) => {
    // Allows the files of the frame, requests to the emulator, and one origin that may show it.
    const policy = pagePolicy(`frame-ancestors ${originOf(request, origins)}`);
    const [text, type] = await readPageFile('#elements/frame.html');
    return reply
      .headers({ ...HEADERS, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .type(type)
      .send(text);
  });
}

/** Returns the origin of the page that shows the frame. @throws ProblemError 403 unless it may */
function originOf({ query }: FastifyRequest, origins: ElementsOptions['origins']): string {
  const { origin } = query as { origin?: unknown };
  const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && url.origin === origin && origins.allows(origin)) return origin;
  throw problem('foreignOrigin', 'Fields are not shown on pages of this origin. See --allow-origin.');
}
