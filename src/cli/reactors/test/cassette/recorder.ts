import { unzipSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from '../../../emulator/launch.js';
import type { RecordedCall } from './cassette.js';
import { hideBody, hideHeader } from './placeholders.js';
import type { ValueForms } from './value-forms.js';

/** Headers that are not recorded: those of the connection, those that no longer hold for the recorded body, and credentials. */
const LEFT_OUT = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'],
  ...['date', 'etag', 'set-cookie'],
]);

const headerOf = ({ headers }: Pick<HttpRequest | HttpResponse, 'headers'>, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** Replaces the boundary of a form, which is random. */
function withFixedBoundary(request: HttpRequest): Uint8Array {
  const { body = new Uint8Array() } = request;
  const boundary = /boundary="?([^";]+)/i.exec(headerOf(request, 'content-type'))?.[1];
  if (boundary === undefined) return body;
  return Buffer.from(Buffer.from(body).toString('latin1').replaceAll(boundary, 'boundary'), 'latin1');
}

/** Headers are left out: they hold credentials, and times and ids that change from run to run. */
export function recordRequest(request: HttpRequest, forms: ValueForms): RecordedCall['request'] {
  const { method, url } = request;
  const body = hideBody(withFixedBoundary(request), forms);
  return { method, url: forms.hide(url), ...(body && { body }) };
}

/** Returns a body that the code decompresses itself, as clients over `http` do, in the form in which values can be found in it. */
function decompress(request: HttpRequest, response: HttpResponse): Uint8Array {
  const isCompressed =
    request.decompress === false && /gzip|deflate/i.test(headerOf(response, 'content-encoding'));
  return isCompressed ? unzipSync(response.body) : response.body;
}

export function recordCall(request: HttpRequest, response: HttpResponse, forms: ValueForms): RecordedCall {
  const { status, headers } = response;
  const body = hideBody(decompress(request, response), forms);
  return {
    request: recordRequest(request, forms),
    response: {
      status,
      headers: headers
        .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
        .map(([name, value]): [string, string] => [name, hideHeader(name, value, forms)]),
      ...(body && { body }),
    },
  };
}
