// Puts card and bank fields into a page: `const elements = await SvcElements.init(publicKey)`. Each element is a frame of the
// emulator, so that what is typed never reaches the scripts of the page. `?global=NAME` sets another name than SvcElements.
(() => {
  const script = new URL(document.currentScript.src);
  const BASE = script.href.replace(/\/elements\.js(\?.*)?$/, '');
  const ORIGIN = script.origin;
  /** The emulator puts its own name of the header here. */
  const API_KEY_HEADER = 'SVC-API-KEY';
  const TYPES = ['card', 'cardNumber', 'cardExpirationDate', 'cardVerificationCode', 'bank', 'text'];
  const SNAKE_CASE = {
    searchIndexes: 'search_indexes',
    fingerprintExpression: 'fingerprint_expression',
    deduplicateToken: 'deduplicate_token',
    expiresAt: 'expires_at',
  };

  /** A frame that was loaded, but has not said so after this time, is not a field, in milliseconds. */
  const REFUSED_MS = 2_000;

  /** The mounted elements by the name of their frame. */
  const mounted = new Map();
  const replies = new Map();

  /** A value of an element: the element itself, or one part of it. */
  class ElementPart {
    constructor(element, part) {
      this.part = part;
      this.element = element ?? this;
    }
  }

  class SecureElement extends ElementPart {
    #type;
    #options;
    #frame;
    #ready;
    #listeners = new Map();
    metadata = { empty: true, valid: true, complete: false, errors: [] };
    name = `svc-element-${crypto.getRandomValues(new Uint32Array(2)).join('')}`;

    constructor(type, options) {
      super();
      this.#type = type;
      this.#options = options;
    }

    /** Shows the element in place of what a selector or node holds. @returns a promise that resolves when it can be used */
    async mount(target) {
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      if (!place) throw new Error(`There is no node ${target}.`);
      if (this.#frame) throw new Error('The element is mounted already.');
      const frame = document.createElement('iframe');
      const query = new URLSearchParams({ type: this.#type, origin: location.origin });
      Object.assign(frame, { name: this.name, title: this.#type, src: `${BASE}/elements/frame?${query}` });
      Object.assign(frame.style, { border: '0', width: '100%', height: '40px' });
      this.#frame = frame;
      mounted.set(this.name, this);
      const loaded = new Promise((resolve, reject) => {
        this.#ready = resolve;
        const refusal = `The emulator shows no fields on pages of ${location.origin}. Allow it with --allow-origin.`;
        frame.addEventListener('load', () => setTimeout(reject, REFUSED_MS, new Error(refusal)));
      });
      place.replaceChildren(frame);
      await loaded;
      this.post({ action: 'update', options: this.#options });
    }

    unmount() {
      this.#frame?.remove();
      this.#frame = undefined;
      mounted.delete(this.name);
    }

    async update(options) {
      this.#options = { ...this.#options, ...options };
      this.post({ action: 'update', options: this.#options });
    }

    clear = () => this.post({ action: 'clear' });
    focus = () => this.post({ action: 'focus' });
    blur = () => this.post({ action: 'blur' });
    month = () => new ElementPart(this, 'month');
    year = () => new ElementPart(this, 'year');

    /** Listens to `ready`, `change`, `focus` and `blur`; events have the metadata of the element, never its data. */
    on(type, listener) {
      const listeners = this.#listeners.get(type) ?? new Set();
      this.#listeners.set(type, listeners.add(listener));
      return { unsubscribe: () => listeners.delete(listener) };
    }

    /** Undefined unless the element is mounted. */
    get window() {
      return this.#frame?.contentWindow;
    }

    post(message) {
      this.window?.postMessage(message, ORIGIN);
    }

    receive({ event, state }) {
      this.metadata = state;
      if (event === 'ready') this.#ready();
      for (const listener of this.#listeners.get(event) ?? []) listener({ type: event, ...state });
    }
  }

  window.addEventListener('message', ({ origin, source, data }) => {
    const element = origin === ORIGIN ? mounted.get(data?.element) : undefined;
    if (!element || element.window !== source) return;
    if (data.reply === undefined) return element.receive(data);
    replies.get(data.reply)?.(data);
    replies.delete(data.reply);
  });

  /** The elements in a request. */
  function elementsIn(value) {
    if (value instanceof ElementPart) return [value.element];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(elementsIn) : [];
  }

  /** Replaces elements by references, which the frames resolve. */
  function toReferences(value) {
    if (value instanceof ElementPart) return { $element: value.element.name, part: value.part };
    if (Array.isArray(value)) return value.map(toReferences);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [SNAKE_CASE[name] ?? name, toReferences(part)]),
    );
  }

  /** Sends a request from the frame of an element. @throws an Error with `status` and `data` when the service refuses it */
  async function send(path, headers, body) {
    const [element] = elementsIn(body);
    if (!element?.window) throw new Error('The request has no element that is mounted.');
    const id = crypto.getRandomValues(new Uint32Array(2)).join('');
    const reply = await new Promise((resolve) => {
      replies.set(id, resolve);
      element.post({ action: 'send', id, request: { path, headers, body: toReferences(body) } });
    });
    if (reply.error !== undefined) throw new Error(reply.error);
    if (reply.status < 300) return reply.body;
    throw Object.assign(new Error(reply.body.detail), { status: reply.status, data: reply.body });
  }

  /** Prepares elements that tokenize with a public key, or with that of a session. @returns the elements */
  async function init(apiKey) {
    const headers = { [API_KEY_HEADER]: apiKey };
    return Object.assign(elements, {
      tokens: { create: (body) => send('/tokens', headers, body) },
      tokenIntents: { create: (body) => send('/token-intents', headers, body) },
      tokenize: (body) => send('/tokenize', headers, body),
    });
  }

  const elements = {
    init,
    createElement(type, options = {}) {
      if (!TYPES.includes(type)) throw new Error(`An element must be one of ${TYPES.join(', ')}.`);
      return new SecureElement(type, options);
    },
    hasElement: (value) => elementsIn(value).length > 0,
  };

  window[script.searchParams.get('global') ?? 'SvcElements'] = elements;
})();
