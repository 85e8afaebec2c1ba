/** The key of the control token in the storage of this tab. The token comes in the fragment, which browsers do not send. */
const STORED = 'tokenctl.control_token';

/** Milliseconds before a lost event stream is reopened: the first delay, which doubles up to the second. */
const RETRY_MS = [500, 8_000];

let token = sessionStorage.getItem(STORED) ?? '';

export class SignInNeeded extends Error {}

/** Moves the token out of the address, so that it is in no history and no copied link. */
export function takeTokenFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) useToken(given);
  if (location.hash) history.replaceState(null, '', location.pathname);
  return token !== '';
}

export function useToken(value) {
  token = value.trim();
  sessionStorage.setItem(STORED, token);
}

async function request(method, path, body) {
  const response = await fetch(`/_emulator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 401) throw new SignInNeeded('The control token is not accepted.');
  return response;
}

/** Returns the parsed response. Throws an error with the messages of the problem. */
export async function call(method, path, body) {
  const response = await request(method, path, body);
  const text = await response.text();
  const result = text ? JSON.parse(text) : undefined;
  if (response.ok) return result;
  const errors = Object.entries(result?.errors ?? {}).map(
    ([field, messages]) => `${field} ${messages.join(', ')}`,
  );
  throw new Error(errors.length > 0 ? errors.join('; ') : (result?.detail ?? `Status ${response.status}`));
}

export async function operations() {
  const response = await fetch('/openapi.json');
  const { paths } = await response.json();
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
}

/** Parses the events in a part of an event stream; `rest` is the incomplete event at its end. */
function eventsIn(text) {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks
    .map((block) => block.split('\n').find((line) => line.startsWith('data: ')))
    .filter((line) => line !== undefined)
    .map((line) => JSON.parse(line.slice('data: '.length)));
  return { events, rest };
}

async function readStream(body, onEvents) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, rest } = eventsIn(waiting + value);
    waiting = rest;
    if (events.length > 0) onEvents(events);
  }
}

/** Follows the event stream. `onState` is called with `live` and `lost`; the first events after `live` are the recent ones. */
export async function follow(onEvents, onState) {
  let wait = RETRY_MS[0];
  for (;;) {
    try {
      const response = await request('GET', '/events?recent=300');
      if (!response.ok) throw new Error(`Status ${response.status}`);
      wait = RETRY_MS[0];
      onState('live');
      await readStream(response.body, onEvents);
    } catch (error) {
      if (error instanceof SignInNeeded) throw error;
    }
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, RETRY_MS[1]);
  }
}
