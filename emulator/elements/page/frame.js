// Runs in the frame of an element. Its values leave the frame only in requests to the service.
import { brandOf, ELEMENTS } from './fields.js';

const parameters = new URLSearchParams(location.search);
/** The origin of the page; the server has checked it, and lets no other page show this frame. */
const PAGE = parameters.get('origin') ?? '';
const element = ELEMENTS[parameters.get('type') ?? ''];
const BASE = location.pathname.replace(/\/elements\/frame$/, '');

const inputs = new Map();

const toPage = (message) => parent.postMessage({ element: window.name, ...message }, PAGE);
const tell = (event) => toPage({ event, state: state() });

function state() {
  const all = [...inputs].map(([name, { value }]) => {
    const complete = element.inputs[name].isValid(value);
    return { name, empty: value === '', complete, valid: value === '' || complete };
  });
  const errors = all.filter(({ valid }) => !valid).map(({ name }) => ({ targetId: name, type: 'invalid' }));
  const every = (property) => all.every((one) => one[property]);
  const number = inputs.get('number');
  return {
    empty: every('empty'),
    valid: every('valid'),
    complete: every('complete'),
    errors,
    ...(number && { cardBrand: brandOf(number.value.replace(/\D/g, '')) }),
  };
}

/** Called by the frame of another element of the same page, which has the same origin. */
window.readElement = (part) => {
  const values = [...inputs].map(([name, { value }]) => [name, element.inputs[name].value(value)]);
  const data = element.data(Object.fromEntries(values));
  return part === undefined ? data : data?.[part];
};

/**
 * The expressions over its data that a token may have in a property that the page can read or compare: an alias of a card number,
 * and whole values to fingerprint. A filter would show the data in another encoding, or let the page guess it digit by digit.
 */
const EXPRESSIONS = {
  id: /^\{\{ *data(\.number)? *\| *alias_card *(: *(true|false) *(, *(true|false) *)?)?\}\}$/,
  fingerprint_expression: /^\{\{ *data[\w.]* *(\| *stringify *)?\}\}$/,
};

/** Resolves a token to create: only its data may hold elements, since the service repeats everything else. */
function resolveToken({ data, ...rest }) {
  for (const [name, pattern] of Object.entries(EXPRESSIONS)) {
    const text = String(rest[name] ?? '');
    if (text.includes('{{') && !pattern.test(text))
      throw new Error(`The ${name} of a token with elements must not show a part of its data.`);
  }
  return { ...resolve(rest, false), data: resolve(data, true) };
}

/** Replaces references to elements by their data. */
function resolve(value, isData) {
  if (Array.isArray(value)) return value.map((part) => resolve(part, isData));
  if (typeof value !== 'object' || value === null) return value;
  if (isData && 'type' in value && 'data' in value) return resolveToken(value);
  if (typeof value.$element === 'string') {
    if (!isData) throw new Error('Elements can only be part of the data of a token.');
    const frame = parent.frames[value.$element];
    if (!frame) throw new Error('The element is not mounted.');
    return frame.readElement(value.part);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, isData)]));
}

const HIDDEN = new Set(['data', 'bank']);

/** Removes the data of tokens, which a mask could show in full, and bank details; refuses values in any other place. */
function withoutData(answer, body) {
  const values = [];
  JSON.stringify(body, (_name, value) => {
    if (typeof value === 'string' && value.length >= 6) values.push(value);
    return value;
  });
  const safe = JSON.parse(JSON.stringify(answer, (name, value) => (HIDDEN.has(name) ? undefined : value)));
  const text = JSON.stringify(safe);
  if (values.some((value) => text.includes(value)))
    throw new Error('The response repeats what is in a field.');
  return safe;
}

const PATHS = ['/tokens', '/token-intents', '/tokenize'];

async function send({ path, headers, body }) {
  if (!PATHS.includes(path)) throw new Error('Elements can only be tokenized.');
  const resolved = path === '/tokenize' ? resolve(body, true) : resolveToken(body);
  const response = await fetch(BASE + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(resolved),
  });
  const secrets = path === '/tokenize' ? resolved : resolved.data;
  return { status: response.status, body: withoutData(await response.json(), secrets) };
}

const STYLES = [
  'color',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'padding',
  'textAlign',
];

/** The option of one input, when it is given by input. */
const partOf = (option, name) => (typeof option === 'object' ? option?.[name] : option);

function update({ placeholder, ariaLabel, disabled, style = {} }) {
  const styles = Object.entries(style.base ?? {}).filter(([property]) => STYLES.includes(property));
  for (const [name, input] of inputs) {
    const { label } = element.inputs[name];
    input.setAttribute('aria-label', partOf(ariaLabel, name) ?? label);
    input.placeholder = partOf(placeholder, name) ?? label;
    input.disabled = disabled === true;
    for (const [property, value] of styles) input.style[property] = String(value);
  }
}

const ACTIONS = {
  update: ({ options }) => update(options),
  clear() {
    for (const input of inputs.values()) input.value = '';
    tell('change');
  },
  focus: () => inputs.values().next().value?.focus(),
  blur: () => document.activeElement?.blur(),
  async send({ id, request }) {
    try {
      toPage({ reply: id, ...(await send(request)) });
    } catch (error) {
      toPage({ reply: id, error: error instanceof Error ? error.message : 'The request failed.' });
    }
  },
};

window.addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== PAGE || typeof data !== 'object' || data === null) return;
  if (Object.hasOwn(ACTIONS, data.action)) void ACTIONS[data.action](data);
});

for (const [name, { autocomplete, isValid }] of Object.entries(element?.inputs ?? {})) {
  const input = document.createElement('input');
  const inputMode = name === 'text' ? 'text' : 'numeric';
  Object.assign(input, { name, autocomplete, spellcheck: false, inputMode });
  input.addEventListener('input', () => {
    input.removeAttribute('aria-invalid');
    tell('change');
  });
  input.addEventListener('focus', () => tell('focus'));
  input.addEventListener('blur', () => {
    input.setAttribute('aria-invalid', String(input.value !== '' && !isValid(input.value)));
    tell('blur');
  });
  inputs.set(name, input);
  document.body.append(input);
}
if (element) {
  update({});
  tell('ready');
}
