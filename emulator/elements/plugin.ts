import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HeaderNames, headerNames } from '../../src/contract/headers.js';
import { problem } from '../problems/problem.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';

interface ElementsOptions {
  /** The origins whose pages may show fields. */
  origins: Pick<AllowedOrigins, 'allows'>;
  headers: Pick<HeaderNames, 'apiKey'>;
}

/** The files by path: file name and content type. */
const FILES = {
  '/elements.js': ['elements.js', 'text/javascript; charset=utf-8'],
  '/elements/frame.js': ['frame.js', 'text/javascript; charset=utf-8'],
  '/elements/fields.js': ['fields.js', 'text/javascript; charset=utf-8'],
  '/elements/frame.css': ['frame.css', 'text/css; charset=utf-8'],
} as const;

/** A script of any page may load them; they hold no data. */
const HEADERS = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Serves the script that puts card and bank fields into the page of a shop, and the frames that hold the fields. What is typed
 * stays in the frames, which send it to the service.
 */
export async function elementsPlugin(
  app: FastifyInstance,
  { origins, headers }: ElementsOptions,
): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const read = (file: string) => readFile(resolve(`#elements/${file}`), 'utf8');
  for (const [path, [file, type]] of Object.entries(FILES))
    app.get(path, async (_request, reply) =>
      reply
        .headers({ ...HEADERS, 'content-type': type })
        .send((await read(file)).replace(headerNames().apiKey, headers.apiKey)),
    );
  app.get('/elements/frame', async (request, reply) => {
    const policy = framePolicy(originOf(request, origins));
    return reply
      .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .headers({ ...HEADERS, 'content-type': 'text/html; charset=utf-8' })
      .send(await read('frame.html'));
  });
}

/** Returns the origin of the page that shows the frame. @throws ProblemError 403 unless it may */
function originOf({ query }: FastifyRequest, origins: ElementsOptions['origins']): string {
  const { origin } = query as { origin?: unknown };
  const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && url.origin === origin && origins.allows(origin)) return origin;
  throw problem('foreignOrigin', 'Fields are not shown on pages of this origin. See --allow-origin.');
}

/** Allows the files of the frame only, requests to the emulator only, and one origin that may show it. */
function framePolicy(origin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; ');
}
