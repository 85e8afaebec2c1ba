// Requests and responses are those of undici, as in Node.js. It looks for the other globals when it is evaluated.
import './webidl.js';
// Before `request.js`, which reads what it defines.
import 'undici/lib/web/fetch/response.js';
import type { RequestInit } from 'undici';
import { extractBody } from 'undici/lib/web/fetch/body.js';
import { FormData } from 'undici/lib/web/fetch/formdata.js';
import { Headers, HeadersList } from 'undici/lib/web/fetch/headers.js';
import { Request } from 'undici/lib/web/fetch/request.js';
import { fromInnerResponse, makeResponse, Response } from 'undici/lib/web/fetch/response.js';
import { DEFAULT_LIMITS } from '../../limits.js';
import type { HttpResponse } from '../../network/http-client.js';
import { createUnsupportedError } from '../bridge/connection-options.js';
import { type HostError, startCall } from '../bridge/host.js';
import { defineGlobals } from '../globals.js';

const { fetchMethodLength: LONGEST_METHOD } = DEFAULT_LIMITS;

/** Statuses of responses without a body (Fetch standard, "null body status"). */
const NULL_BODY_STATUSES = [101, 204, 205, 304];

type ResponseHead = Omit<HttpResponse, 'body'>;

async function fetch(input: never, init?: RequestInit): Promise<Response> {
  if (init?.dispatcher) throw createUnsupportedError('the option dispatcher');
  // The host checks this too. Here it saves the time to look at each character.
  if (String(init?.method).length > LONGEST_METHOD)
    throw new TypeError(`The request method is longer than ${LONGEST_METHOD} characters.`);
  // Created here, where its stack still contains the code that called.
  const failure = new TypeError('fetch failed');
  const request = new Request(input, init);
  const { url, method, headers, redirect, signal } = request;
  signal.throwIfAborted();
  const payload = request.body === null ? undefined : await request.arrayBuffer();
  const head = { url, method, redirect, headers: [...withDefaults(headers)] };
  const { response, cancel } = startCall('fetch', head, payload);
  signal.addEventListener('abort', cancel);
  const { ok, value, bytes } = await response;
  signal.removeEventListener('abort', cancel);
  signal.throwIfAborted();
  if (!ok) throw Object.assign(failure, { cause: toNetworkError(value as HostError) });
  return toResponse(value as ResponseHead, bytes);
}

function* withDefaults(headers: Headers): Iterable<[string, string]> {
  if (!headers.has('accept')) yield ['accept', '*/*'];
  if (!headers.has('accept-encoding')) yield ['accept-encoding', 'gzip, deflate, br'];
  yield* headers;
}

const toNetworkError = ({ message, code }: HostError): Error =>
  Object.assign(new Error(message), code !== undefined && { code });

function toResponse(head: ResponseHead, bytes = new ArrayBuffer(0)): Response {
  const { status, statusText, headers, url, redirected } = head;
  const headersList = new HeadersList();
  for (const [name, value] of headers) headersList.append(name, value, true);
  const [body] = NULL_BODY_STATUSES.includes(status) ? [null] : extractBody(new Blob([bytes]));
  const urlList = Array(redirected ? 2 : 1).fill(new URL(url));
  return fromInnerResponse(makeResponse({ status, statusText, headersList, urlList, body }), 'immutable');
}

defineGlobals({ FormData, Headers, Request, Response, fetch });
